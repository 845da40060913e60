import { defineMessages } from '../../../model/messages.ts'
import { DEFAULT_DESCRIPTION } from '../../../model/service-description.ts'

/** The texts of the start page. */
export const homeMessages = defineMessages('home', {
  en: {
    tagline: DEFAULT_DESCRIPTION,
    search: 'Search for people, places, products and pages',
    newest: 'New profiles',
    signIn: 'Sign in',
    register: 'Create an account',
    forPrograms: 'For programs and agents',
    order: 'Agents read these documents, in this order:',
    profiles: 'Addresses of profiles:',
  },
  de: {
    tagline: 'Profile, die Menschen und KI-Agenten lesen, und Inhalte, die Agenten kaufen können.',
    search: 'Menschen, Orte, Produkte und Seiten suchen',
    newest: 'Neue Profile',
    signIn: 'Anmelden',
    register: 'Konto erstellen',
    forPrograms: 'Für Programme und Agenten',
    order: 'Agenten lesen diese Dokumente, in dieser Reihenfolge:',
    profiles: 'Adressen von Profilen:',
  },
  ja: {
    tagline: '人とAIエージェントが読むプロフィールと、エージェントが購入できるコンテンツ。',
    search: '人物、場所、商品、ページを検索',
    newest: '新しいプロフィール',
    signIn: 'サインイン',
    register: 'アカウントを作成',
    forPrograms: 'プログラムとエージェント向け',
    order: 'エージェントは次の順に文書を読みます：',
    profiles: 'プロフィールのアドレス：',
  },
  ar: {
    tagline: 'ملفات يقرؤها الناس ووكلاء الذكاء الاصطناعي، ومحتوى يمكن للوكلاء شراؤه.',
    search: 'البحث عن أشخاص وأماكن ومنتجات وصفحات',
    newest: 'ملفات جديدة',
    signIn: 'تسجيل الدخول',
    register: 'إنشاء حساب',
    forPrograms: 'للبرامج والوكلاء',
    order: 'يقرأ الوكلاء هذه المستندات بهذا الترتيب:',
    profiles: 'عناوين الملفات:',
  },
})
