import type { EepError } from '../../../../kernel/errors.ts'
import { isRecord } from '../../../../model/field-values.ts'
import { defineMessages, type PageLanguage } from '../../../../model/messages.ts'
import { railUnavailable, settlementPending } from '../../../../ports/payment-rail.ts'
import { accessForbidden, legallyRestricted, notTakenNow, paymentRequired, proofReplayed } from '../errors.ts'
import { USED } from '../pay/deliver.ts'

/** Why a gated page is not shown, for people. */
const problemMessages = defineMessages('refusal', {
  en: {
    notAccepted: 'The payment was not accepted. Nothing was charged. You can try again.',
    insufficient:
      'The payment was not accepted, because the balance of the wallet is too low. Nothing was charged. You can try again.',
    expired: 'The payment was not accepted, because it came too late. Nothing was charged. You can try again.',
    signature:
      'The payment was not accepted, because its signature is not valid. Nothing was charged. You can try again.',
    offerChanged:
      'The payment was not accepted, because the offer has changed. Nothing was charged. The current offers are below.',
    transferFailed:
      'The payment was not accepted, because the network rejected the transfer. Nothing was charged. You can try again.',
    used: 'This payment was used before. You were not charged again.',
    signIn: 'The wallet could not be verified. Sign in with it again.',
    pending:
      'The outcome of your payment is not known yet. Do not pay again: this page opens when the payment is confirmed. Reload it in a minute.',
    unavailable: 'Payments cannot be accepted at the moment. Nothing was charged. Try again later.',
    proofUsed: 'One of your proofs was used before. Present a new one.',
    legal: 'This page is unavailable for legal reasons.',
  },
  de: {
    notAccepted: 'Die Zahlung wurde nicht angenommen. Es wurde nichts abgebucht. Sie können es noch einmal versuchen.',
    insufficient:
      'Die Zahlung wurde nicht angenommen, weil das Guthaben der Wallet nicht reicht. Es wurde nichts abgebucht. Sie können es noch einmal versuchen.',
    expired:
      'Die Zahlung wurde nicht angenommen, weil sie zu spät kam. Es wurde nichts abgebucht. Sie können es noch einmal versuchen.',
    signature:
      'Die Zahlung wurde nicht angenommen, weil ihre Signatur ungültig ist. Es wurde nichts abgebucht. Sie können es noch einmal versuchen.',
    offerChanged:
      'Die Zahlung wurde nicht angenommen, weil sich das Angebot geändert hat. Es wurde nichts abgebucht. Die aktuellen Angebote stehen unten.',
    transferFailed:
      'Die Zahlung wurde nicht angenommen, weil das Netzwerk die Überweisung abgelehnt hat. Es wurde nichts abgebucht. Sie können es noch einmal versuchen.',
    used: 'Diese Zahlung wurde schon verwendet. Es wurde nicht noch einmal abgebucht.',
    signIn: 'Die Wallet konnte nicht bestätigt werden. Melden Sie sich noch einmal mit ihr an.',
    pending:
      'Das Ergebnis Ihrer Zahlung ist noch nicht bekannt. Bezahlen Sie nicht noch einmal: Diese Seite öffnet sich, sobald die Zahlung bestätigt ist. Laden Sie sie in einer Minute neu.',
    unavailable:
      'Zurzeit können keine Zahlungen angenommen werden. Es wurde nichts abgebucht. Versuchen Sie es später noch einmal.',
    proofUsed: 'Einer Ihrer Nachweise wurde schon verwendet. Legen Sie einen neuen vor.',
    legal: 'Diese Seite ist aus rechtlichen Gründen nicht verfügbar.',
  },
  ja: {
    notAccepted: '支払いは承認されませんでした。請求は発生していません。もう一度お試しいただけます。',
    insufficient:
      'ウォレットの残高が不足しているため、支払いは承認されませんでした。請求は発生していません。もう一度お試しいただけます。',
    expired: '期限が過ぎたため、支払いは承認されませんでした。請求は発生していません。もう一度お試しいただけます。',
    signature: '署名が無効なため、支払いは承認されませんでした。請求は発生していません。もう一度お試しいただけます。',
    offerChanged:
      '条件が変更されたため、支払いは承認されませんでした。請求は発生していません。現在の条件は下記のとおりです。',
    transferFailed:
      'ネットワークが送金を拒否したため、支払いは承認されませんでした。請求は発生していません。もう一度お試しいただけます。',
    used: 'この支払いはすでに使用されています。再度の請求は発生していません。',
    signIn: 'ウォレットを確認できませんでした。もう一度ウォレットでログインしてください。',
    pending:
      '支払いの結果はまだ確認できていません。もう一度支払わないでください。支払いが確認されるとこのページが開きます。1 分後に再読み込みしてください。',
    unavailable: '現在、支払いを受け付けられません。請求は発生していません。しばらくしてからもう一度お試しください。',
    proofUsed: '証明の 1 つはすでに使用されています。新しい証明を提示してください。',
    legal: 'このページは法的な理由により表示できません。',
  },
  ar: {
    notAccepted: 'لم تُقبل عملية الدفع. لم يُخصم أي مبلغ، ويمكنك المحاولة مرة أخرى.',
    insufficient: 'لم تُقبل عملية الدفع لأن رصيد المحفظة غير كافٍ. لم يُخصم أي مبلغ، ويمكنك المحاولة مرة أخرى.',
    expired: 'لم تُقبل عملية الدفع لانتهاء مهلتها. لم يُخصم أي مبلغ، ويمكنك المحاولة مرة أخرى.',
    signature: 'لم تُقبل عملية الدفع لأن توقيعها غير صالح. لم يُخصم أي مبلغ، ويمكنك المحاولة مرة أخرى.',
    offerChanged: 'لم تُقبل عملية الدفع لأن العرض تغيّر. لم يُخصم أي مبلغ، وتجد العروض الحالية أدناه.',
    transferFailed: 'لم تُقبل عملية الدفع لأن الشبكة رفضت التحويل. لم يُخصم أي مبلغ، ويمكنك المحاولة مرة أخرى.',
    used: 'استُخدمت عملية الدفع هذه من قبل، ولم يُخصم أي مبلغ مرة أخرى.',
    signIn: 'تعذّر التحقق من المحفظة. سجّل الدخول بها مرة أخرى.',
    pending: 'لم تُعرف نتيجة عملية الدفع بعد. لا تدفع مرة أخرى: تُفتح هذه الصفحة عند تأكيد الدفع. أعد تحميلها بعد دقيقة.',
    unavailable: 'لا يمكن قبول المدفوعات حاليًا. لم يُخصم أي مبلغ، حاول مرة أخرى لاحقًا.',
    proofUsed: 'استُخدم أحد إثباتاتك من قبل. قدّم إثباتًا جديدًا.',
    legal: 'هذه الصفحة غير متاحة لأسباب قانونية.',
  },
})

type Problem = Parameters<ReturnType<typeof problemMessages>>[0]

/** The texts for the reason codes of payments: those of x402 (exact on EVM, and its sign-in) and of card payments. */
const BY_REASON: Readonly<Record<string, Problem>> = {
  [USED]: 'used',
  invalid_exact_evm_nonce_already_used: 'used',
  insufficient_funds: 'insufficient',
  invalid_exact_evm_insufficient_balance: 'insufficient',
  payment_expired: 'expired',
  invalid_exact_evm_payload_authorization_valid_before: 'expired',
  invalid_exact_evm_signature: 'signature',
  invalid_payment_requirements: 'offerChanged',
  invalid_challenge: 'offerChanged',
  invalid_exact_evm_recipient_mismatch: 'offerChanged',
  invalid_exact_evm_payload_authorization_value_mismatch: 'offerChanged',
  invalid_exact_evm_transaction_simulation_failed: 'transferFailed',
  invalid_exact_evm_transaction_failed: 'transferFailed',
  siwx_not_supported: 'signIn',
  invalid_siwx: 'signIn',
  invalid_siwx_nonce: 'signIn',
  invalid_siwx_signature: 'signIn',
}

const BY_CODE: Readonly<Record<string, Problem>> = {
  [settlementPending.code]: 'pending',
  [railUnavailable.code]: 'unavailable',
  [notTakenNow.code]: 'unavailable',
  [proofReplayed.code]: 'proofUsed',
  [legallyRestricted.code]: 'legal',
}

/** The reason of a payment that was refused. */
export function refusedReason({ details }: EepError): string | undefined {
  return isRecord(details) && typeof details.reason === 'string' ? details.reason : undefined
}

/** Whether an error is about the access to a gated page or its payment. Other errors have the common page. */
export const isAboutAccess = ({ code }: EepError): boolean =>
  code === paymentRequired.code || code === accessForbidden.code || Object.hasOwn(BY_CODE, code)

/** Returns why a gated page is not shown, in the language of the reader. */
export function refusalProblem(error: EepError, page: PageLanguage): string {
  const say = problemMessages(page)
  const known = BY_CODE[error.code]
  if (known) return say(known)
  // The money of a payment that was settled before has moved.
  if (isRecord(error.details) && error.details.already_settled === true) return say('used')
  return say(BY_REASON[refusedReason(error) ?? ''] ?? 'notAccepted')
}
