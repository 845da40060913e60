import { defineMessages, type PageLanguage } from '../../../model/messages.ts'

/** What the page of purchases shows while a wallet proves its purchases. */
export const walletProofMessages = defineMessages('wallet-proof', {
  en: {
    button: 'Sign with a wallet',
    noScript: 'Signing with a wallet needs JavaScript in this browser.',
    sign: 'Sign the message in your wallet. Nothing is paid.',
    choose: 'Which wallet paid?',
    noWallet: 'No wallet was found in this browser. Open this page in the browser of the wallet that paid.',
    rejected: 'You declined in your wallet.',
    busy: 'Your wallet is waiting for an answer. Open it, and try again afterwards.',
    nothing: 'This wallet has bought nothing here. If you have several accounts in it, choose the one that paid.',
    refused: 'The signature was not accepted. Try again.',
    later: 'There were too many attempts. Try again in a minute.',
    failed: 'It did not work. Load the page again and try once more.',
  },
  de: {
    button: 'Mit einer Wallet signieren',
    noScript: 'Um mit einer Wallet zu signieren, braucht dieser Browser JavaScript.',
    sign: 'Signieren Sie die Nachricht in Ihrer Wallet. Es wird nichts bezahlt.',
    choose: 'Welche Wallet hat bezahlt?',
    noWallet:
      'In diesem Browser ist keine Wallet installiert. Öffnen Sie diese Seite im Browser der Wallet, die bezahlt hat.',
    rejected: 'Sie haben in Ihrer Wallet abgelehnt.',
    busy: 'Ihre Wallet wartet auf eine Antwort. Öffnen Sie sie, und versuchen Sie es danach erneut.',
    nothing:
      'Diese Wallet hat hier nichts gekauft. Wenn Sie darin mehrere Konten haben, wählen Sie das Konto, das bezahlt hat.',
    refused: 'Die Signatur wurde nicht angenommen. Versuchen Sie es noch einmal.',
    later: 'Es gab zu viele Versuche. Versuchen Sie es in einer Minute noch einmal.',
    failed: 'Es hat nicht funktioniert. Laden Sie die Seite neu, und versuchen Sie es noch einmal.',
  },
  ja: {
    button: 'ウォレットで署名',
    noScript: 'ウォレットでの署名には、このブラウザーで JavaScript を有効にする必要があります。',
    sign: 'ウォレットでメッセージに署名してください。支払いは発生しません。',
    choose: 'どのウォレットで支払いましたか？',
    noWallet:
      'このブラウザーにウォレットが見つかりません。支払いに使ったウォレットのブラウザーでこのページを開いてください。',
    rejected: 'ウォレットで拒否されました。',
    busy: 'ウォレットが応答を待っています。ウォレットを開いてから、もう一度お試しください。',
    nothing: 'このウォレットでの購入はありません。複数のアカウントがある場合は、支払いに使ったものを選んでください。',
    refused: '署名を確認できませんでした。もう一度お試しください。',
    later: '試行回数が多すぎます。1分後にもう一度お試しください。',
    failed: 'うまくいきませんでした。ページを読み込み直して、もう一度お試しください。',
  },
  ar: {
    button: 'التوقيع بمحفظة',
    noScript: 'يتطلب التوقيع بمحفظة تفعيل JavaScript في هذا المتصفح.',
    sign: 'وقّع الرسالة في محفظتك. لا يُدفع أي مبلغ.',
    choose: 'أي محفظة دفعت؟',
    noWallet: 'لم يُعثر على محفظة في هذا المتصفح. افتح هذه الصفحة في متصفح المحفظة التي دفعت.',
    rejected: 'رفضت في محفظتك.',
    busy: 'محفظتك في انتظار رد. افتحها ثم حاول مرة أخرى.',
    nothing: 'لم تشترِ هذه المحفظة شيئًا هنا. إن كانت فيها عدة حسابات، فاختر الحساب الذي دفع.',
    refused: 'لم يُقبل التوقيع. حاول مرة أخرى.',
    later: 'كثرت المحاولات. حاول مرة أخرى بعد دقيقة.',
    failed: 'لم تنجح العملية. أعد تحميل الصفحة وحاول مرة أخرى.',
  },
})

const KEYS = ['sign', 'choose', 'noWallet', 'rejected', 'busy', 'nothing', 'refused', 'later', 'failed'] as const

/** The texts of the script in the language of a page, by their names in the script. */
export const walletProofTexts = (page: PageLanguage): Readonly<Record<string, string>> =>
  Object.fromEntries(KEYS.map((key) => [key, walletProofMessages(page)(key)]))
