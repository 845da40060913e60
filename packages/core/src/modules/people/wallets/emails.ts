import { z } from 'zod'
import { sentence } from '../../../kernel/isolation.ts'
import { defineEmail } from '../../../runtime/email/define-email.ts'

const data = z.object({
  address: z.string(),
  /** CAIP-2, for example `eip155:8453`. */
  network: z.string(),
})

/** Reports that a wallet was linked to an account. */
export const walletLinkedEmail = defineEmail('wallet-linked', {
  summary: 'a wallet is linked to an account',
  data,
  texts: {
    en: ({ address, network }, { service }) => ({
      subject: sentence`A wallet was linked to your account at ${service}`,
      paragraphs: [
        sentence`Wallet ${address} on the network ${network} can now be chosen to receive your sales.`,
        'If it was not you, another person is signed in to your account: unlink the wallet and change your password, which ends every session.',
      ],
    }),
    de: ({ address, network }, { service }) => ({
      subject: sentence`Mit Ihrem Konto bei ${service} wurde eine Wallet verknüpft`,
      paragraphs: [
        sentence`Es ist die Wallet ${address} im Netzwerk ${network}. Ihre Verkäufe können an sie gezahlt werden.`,
        'Wenn Sie das nicht waren, ist eine andere Person in Ihrem Konto angemeldet: Lösen Sie die Verknüpfung und ändern Sie Ihr Passwort. Das beendet alle Sitzungen.',
      ],
    }),
    ja: ({ address, network }, { service }) => ({
      subject: sentence`${service} のアカウントにウォレットが連携されました`,
      paragraphs: [
        sentence`ネットワーク ${network} のウォレット ${address} です。売上の受取先にできます。`,
        '心当たりがない場合は、第三者がアカウントにログインしています。ウォレットの連携を解除し、パスワードを変更してください。すべてのセッションが終了します。',
      ],
    }),
    ar: ({ address, network }, { service }) => ({
      subject: sentence`رُبطت محفظة بحسابك لدى ${service}`,
      paragraphs: [
        sentence`هي المحفظة ${address} على الشبكة ${network}، ويمكن أن تُدفع إليها مبيعاتك.`,
        'إن لم تكن أنت من ربطها، فهناك شخص آخر سجّل الدخول إلى حسابك: ألغِ ربط المحفظة وغيّر كلمة المرور، فتنتهي كل الجلسات.',
      ],
    }),
  },
})

/** Reports that the sales of an account are paid to another wallet. */
export const payoutChangedEmail = defineEmail('payout-changed', {
  summary: 'sales on a network are paid to a wallet that did not receive them before',
  data,
  texts: {
    en: ({ address, network }, { service }) => ({
      subject: sentence`New payout wallet for your account at ${service}`,
      paragraphs: [
        sentence`Payments on the network ${network} now go to the wallet ${address}.`,
        'If it was not you, another person is signed in to your account: change your password, which ends every session, and choose your own wallet again.',
      ],
    }),
    de: ({ address, network }, { service }) => ({
      subject: sentence`Neue Wallet für Auszahlungen Ihres Kontos bei ${service}`,
      paragraphs: [
        sentence`Zahlungen im Netzwerk ${network} gehen jetzt an die Wallet ${address}.`,
        'Wenn Sie das nicht waren, ist eine andere Person in Ihrem Konto angemeldet: Ändern Sie Ihr Passwort, das beendet alle Sitzungen, und wählen Sie wieder Ihre Wallet.',
      ],
    }),
    ja: ({ address, network }, { service }) => ({
      subject: sentence`${service} での売上の受取先ウォレットが変更されました`,
      paragraphs: [
        sentence`ネットワーク ${network} での支払いは、今後ウォレット ${address} に送られます。`,
        '心当たりがない場合は、第三者がアカウントにログインしています。パスワードを変更して（すべてのセッションが終了します）、受取先のウォレットを選び直してください。',
      ],
    }),
    ar: ({ address, network }, { service }) => ({
      subject: sentence`محفظة جديدة لاستلام مدفوعات حسابك لدى ${service}`,
      paragraphs: [
        sentence`تذهب المدفوعات على الشبكة ${network} الآن إلى المحفظة ${address}.`,
        'إن لم تكن أنت من غيّرها، فهناك شخص آخر سجّل الدخول إلى حسابك: غيّر كلمة المرور، فتنتهي كل الجلسات، ثم اختر محفظتك من جديد.',
      ],
    }),
  },
})

/** The emails about wallets. */
export const walletEmails = [walletLinkedEmail, payoutChangedEmail] as const
