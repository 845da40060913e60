import type { Language } from '../model/languages.ts'

/** What the layout adds to the text of an email. */
interface LayoutWords {
  /** Without a name when the address may have no account. */
  greeting(name: string | undefined): string
  /** Above the address of a button. */
  readonly copy: string
  sentBy(service: string): string
}

/** The words of the layout by language. */
export const LAYOUT_WORDS: Readonly<Record<Language, LayoutWords>> = {
  en: {
    greeting: (name) => (name === undefined ? 'Hello,' : `Hello ${name},`),
    copy: 'Or copy this address into your browser:',
    sentBy: (service) => `This email was sent by ${service}.`,
  },
  de: {
    greeting: (name) => (name === undefined ? 'Guten Tag,' : `Guten Tag ${name},`),
    copy: 'Oder kopieren Sie diese Adresse in Ihren Browser:',
    sentBy: (service) => `Diese E-Mail wurde von ${service} gesendet.`,
  },
  ja: {
    greeting: (name) => (name === undefined ? 'こんにちは。' : `${name} 様`),
    copy: 'または、次のアドレスをブラウザーに貼り付けてください。',
    sentBy: (service) => `このメールは ${service} から送信されました。`,
  },
  ar: {
    greeting: (name) => (name === undefined ? 'مرحبًا،' : `مرحبًا ${name}،`),
    copy: 'أو انسخ هذا العنوان إلى متصفحك:',
    sentBy: (service) => `أُرسلت هذه الرسالة من ${service}.`,
  },
}
