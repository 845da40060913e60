import { defineMessages } from '../../../model/messages.ts'

/** The names of the types of profiles, on pages. */
export const typeNames = defineMessages('profile-type', {
  en: {
    person: 'Person',
    organization: 'Organization',
    place: 'Place',
    asset: 'Asset',
    product: 'Product',
    knowledge: 'Knowledge',
    agent: 'Agent',
    event: 'Event',
    custom: 'Other',
  },
  de: {
    person: 'Person',
    organization: 'Organisation',
    place: 'Ort',
    asset: 'Gegenstand',
    product: 'Produkt',
    knowledge: 'Wissen',
    agent: 'Agent',
    event: 'Veranstaltung',
    custom: 'Sonstiges',
  },
  ja: {
    person: '人物',
    organization: '組織',
    place: '場所',
    asset: '資産',
    product: '商品',
    knowledge: '知識',
    agent: 'エージェント',
    event: 'イベント',
    custom: 'その他',
  },
  ar: {
    person: 'شخص',
    organization: 'منظمة',
    place: 'مكان',
    asset: 'أصل',
    product: 'منتج',
    knowledge: 'معرفة',
    agent: 'وكيل',
    event: 'فعالية',
    custom: 'أخرى',
  },
})
