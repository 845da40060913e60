import { wordsOf } from '../../../model/field-values.ts'
import { defineMessages, type PageLanguage } from '../../../model/messages.ts'
import { CAPABILITIES, type Capability } from './capabilities.ts'

/** The names of the traits of profiles, on pages. */
const traitMessages = defineMessages<Capability>('trait', {
  en: {
    contactable: 'Contactable',
    bookable: 'Bookable',
    purchasable: 'Purchasable',
    hireable: 'Hireable',
    streamable: 'Streamable',
    verifiable: 'Verifiable',
    agent_compatible: 'Agent compatible',
  },
  de: {
    contactable: 'Kontaktierbar',
    bookable: 'Buchbar',
    purchasable: 'Käuflich',
    hireable: 'Übernimmt Aufträge',
    streamable: 'Änderungen abonnierbar',
    verifiable: 'Überprüfbar',
    agent_compatible: 'Für Agenten geeignet',
  },
  ja: {
    contactable: '連絡可能',
    bookable: '予約可能',
    purchasable: '購入可能',
    hireable: '仕事の依頼可',
    streamable: '更新の配信あり',
    verifiable: '検証可能',
    agent_compatible: 'エージェント対応',
  },
  ar: {
    contactable: 'متاح للتواصل',
    bookable: 'قابل للحجز',
    purchasable: 'قابل للشراء',
    hireable: 'متاح للعمل',
    streamable: 'تحديثات مباشرة',
    verifiable: 'قابل للتحقق',
    agent_compatible: 'متوافق مع الوكلاء',
  },
})

/** The name of a trait in the language of a page. */
export function traitName(trait: string, page: PageLanguage): string {
  const known = CAPABILITIES.find((each) => each === trait)
  return known === undefined ? wordsOf(trait) : traitMessages(page)(known)
}
