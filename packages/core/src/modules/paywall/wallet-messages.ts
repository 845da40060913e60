import { defineMessages, type PageLanguage } from '../../model/messages.ts'

/** The texts that the script shows during a payment by wallet. */
const walletMessages = defineMessages('wallet', {
  en: {
    confirm: 'Confirm the payment in your wallet.',
    choose: 'Which wallet do you want to pay with?',
    noWallet: 'No wallet was found in this browser. Install one, or choose another way to pay.',
    sending: 'The payment is being sent …',
    paid: 'Paid. The page is opening …',
    pending: 'The outcome of the payment is not known yet. Do not pay again: the same payment is being checked.',
    rejected: 'You declined in your wallet. Nothing was charged.',
    busy: 'Your wallet is waiting for an answer. Open it, and try again afterwards. Nothing was charged.',
    wrongChain: 'Your wallet did not switch to the network of this offer. Nothing was charged.',
    unknownChain:
      'Your wallet does not know the network of this offer. Add it there and try again. Nothing was charged.',
    insufficient: 'There is not enough in your wallet. Nothing was charged.',
    expired: 'The offer has expired. Nothing was charged; load the page again to get a new one.',
    fresh: 'The offer had expired, so a new one was loaded, at the same price. Confirm the payment in your wallet.',
    renewed: 'The offer has expired or changed. Nothing was charged. A new offer is loaded: you can pay once more.',
    repriced: 'The offer has changed. Nothing was charged. This page shows what it costs now.',
    refused: 'The payment was not accepted. Nothing was charged.',
    forbidden: 'This service did not take the payment. Nothing was charged.',
    offline: 'There is no connection to this service. Nothing was charged; try again when you are online.',
    used: 'This payment was already used. Load the page again before you pay once more.',
    failed: 'The page could not be opened. Do not pay again; load the page again.',
    walletError: 'Your wallet reported an error. Nothing was charged.',
  },
  de: {
    confirm: 'Bestätigen Sie die Zahlung in Ihrer Wallet.',
    choose: 'Mit welcher Wallet möchten Sie bezahlen?',
    noWallet:
      'In diesem Browser ist keine Wallet installiert. Installieren Sie eine, oder wählen Sie eine andere Zahlungsart.',
    sending: 'Die Zahlung wird gesendet …',
    paid: 'Bezahlt. Die Seite wird geöffnet …',
    pending:
      'Das Ergebnis der Zahlung steht noch nicht fest. Bitte nicht noch einmal bezahlen: Dieselbe Zahlung wird weiter geprüft.',
    rejected: 'Sie haben in Ihrer Wallet abgelehnt. Es wurde nichts abgebucht.',
    busy: 'Ihre Wallet wartet auf eine Antwort. Öffnen Sie sie, und versuchen Sie es danach erneut. Es wurde nichts abgebucht.',
    wrongChain: 'Ihre Wallet hat nicht zum Netzwerk des Angebots gewechselt. Es wurde nichts abgebucht.',
    unknownChain:
      'Ihre Wallet kennt das Netzwerk des Angebots nicht. Fügen Sie es dort hinzu, und versuchen Sie es erneut. Es wurde nichts abgebucht.',
    insufficient: 'Das Guthaben in Ihrer Wallet reicht nicht aus. Es wurde nichts abgebucht.',
    expired: 'Das Angebot ist abgelaufen. Es wurde nichts abgebucht; laden Sie die Seite neu.',
    fresh:
      'Das Angebot war abgelaufen, deshalb wurde ein neues zum selben Preis geladen. Bestätigen Sie die Zahlung in Ihrer Wallet.',
    renewed:
      'Das Angebot ist abgelaufen oder hat sich geändert. Es wurde nichts abgebucht. Ein neues Angebot ist geladen: Sie können noch einmal bezahlen.',
    repriced: 'Das Angebot hat sich geändert. Es wurde nichts abgebucht. Diese Seite zeigt, was es jetzt kostet.',
    refused: 'Die Zahlung wurde nicht angenommen. Es wurde nichts abgebucht.',
    forbidden: 'Dieser Dienst hat die Zahlung nicht angenommen. Es wurde nichts abgebucht.',
    offline:
      'Es besteht keine Verbindung zu diesem Dienst. Es wurde nichts abgebucht; versuchen Sie es noch einmal, wenn Sie online sind.',
    used: 'Diese Zahlung wurde bereits verwendet. Laden Sie die Seite neu, bevor Sie noch einmal bezahlen.',
    failed: 'Die Seite konnte nicht geöffnet werden. Bitte nicht noch einmal bezahlen; laden Sie die Seite neu.',
    walletError: 'Ihre Wallet hat einen Fehler gemeldet. Es wurde nichts abgebucht.',
  },
  ja: {
    confirm: 'ウォレットで支払いを承認してください。',
    choose: 'どのウォレットで支払いますか。',
    noWallet: 'このブラウザーにウォレットが見つかりません。インストールするか、ほかの支払い方法を選んでください。',
    sending: '支払いを送信しています…',
    paid: '支払いが完了しました。ページを開いています…',
    pending: '支払いの結果をまだ確認できていません。もう一度支払わないでください。同じ支払いを確認しています。',
    rejected: 'ウォレットで拒否されました。請求は発生していません。',
    busy: 'ウォレットが応答を待っています。ウォレットを開いてから、もう一度お試しください。請求は発生していません。',
    wrongChain: 'ウォレットがこの支払いのネットワークに切り替わりませんでした。請求は発生していません。',
    unknownChain:
      'ウォレットにこの支払いのネットワークが登録されていません。追加してからもう一度お試しください。請求は発生していません。',
    insufficient: 'ウォレットの残高が足りません。請求は発生していません。',
    expired: '支払い条件の有効期限が切れました。請求は発生していません。ページを再読み込みしてください。',
    fresh:
      'オファーの有効期限が切れていたため、同じ価格の新しいオファーを読み込みました。ウォレットで支払いを確認してください。',
    renewed:
      'オファーの有効期限が切れたか、内容が変わりました。請求は発生していません。新しいオファーを読み込んだので、もう一度支払えます。',
    repriced: 'オファーの内容が変わりました。請求は発生していません。現在の価格をこのページに表示しています。',
    refused: '支払いは承認されませんでした。請求は発生していません。',
    forbidden: 'このサービスは支払いを受け付けませんでした。請求は発生していません。',
    offline: 'このサービスに接続できません。請求は発生していません。オンラインになってから、もう一度お試しください。',
    used: 'この支払いはすでに使用されています。もう一度支払う前に、ページを再読み込みしてください。',
    failed: 'ページを開けませんでした。もう一度支払わずに、ページを再読み込みしてください。',
    walletError: 'ウォレットでエラーが発生しました。請求は発生していません。',
  },
  ar: {
    confirm: 'أكّد الدفع في محفظتك.',
    choose: 'بأي محفظة تريد الدفع؟',
    noWallet: 'لم يُعثر على محفظة في هذا المتصفح. ثبّت محفظة أو اختر وسيلة دفع أخرى.',
    sending: 'جارٍ إرسال الدفعة…',
    paid: 'تم الدفع. جارٍ فتح الصفحة…',
    pending: 'نتيجة الدفع غير معروفة بعد. لا تدفع مرة أخرى: يجري التحقق من الدفعة نفسها.',
    rejected: 'رفضت العملية في محفظتك. لم يُخصم أي مبلغ.',
    busy: 'محفظتك في انتظار رد. افتحها ثم حاول مرة أخرى. لم يُخصم أي مبلغ.',
    wrongChain: 'لم تنتقل محفظتك إلى شبكة هذا العرض. لم يُخصم أي مبلغ.',
    unknownChain: 'لا تعرف محفظتك شبكة هذا العرض. أضفها ثم حاول مرة أخرى. لم يُخصم أي مبلغ.',
    insufficient: 'الرصيد في محفظتك غير كافٍ. لم يُخصم أي مبلغ.',
    expired: 'انتهت صلاحية العرض. لم يُخصم أي مبلغ؛ أعد تحميل الصفحة.',
    fresh: 'كانت صلاحية العرض قد انتهت، فحُمّل عرض جديد بالسعر نفسه. أكّد الدفعة في محفظتك.',
    renewed: 'انتهت صلاحية العرض أو تغيّر. لم يُخصم أي مبلغ. حُمّل عرض جديد: يمكنك الدفع مرة أخرى.',
    repriced: 'تغيّر العرض. لم يُخصم أي مبلغ. تعرض هذه الصفحة السعر الحالي.',
    refused: 'لم تُقبل الدفعة. لم يُخصم أي مبلغ.',
    forbidden: 'لم تقبل هذه الخدمة الدفعة. لم يُخصم أي مبلغ.',
    offline: 'لا يوجد اتصال بهذه الخدمة. لم يُخصم أي مبلغ؛ حاول مرة أخرى عندما تكون متصلًا.',
    used: 'استُخدمت هذه الدفعة من قبل. أعد تحميل الصفحة قبل أن تدفع مرة أخرى.',
    failed: 'تعذّر فتح الصفحة. لا تدفع مرة أخرى؛ أعد تحميل الصفحة.',
    walletError: 'أبلغت محفظتك عن خطأ. لم يُخصم أي مبلغ.',
  },
})

const KEYS = [
  ...(['confirm', 'choose', 'noWallet', 'sending', 'paid', 'pending', 'rejected', 'busy', 'wrongChain'] as const),
  ...(['unknownChain', 'insufficient', 'expired', 'fresh', 'renewed', 'repriced'] as const),
  ...(['refused', 'forbidden', 'offline', 'used', 'failed', 'walletError'] as const),
]

/** The texts of the script in the language of a page, by their names in the script. */
export const walletTexts = (page: PageLanguage): Readonly<Record<string, string>> =>
  Object.fromEntries(KEYS.map((key) => [key, walletMessages(page)(key)]))
