import { defineMessages } from '../../model/messages.ts'

/** The texts of the start page. */
export const homeMessages = defineMessages('home', {
  en: {
    search: 'Search for people, places, products and pages',
    newest: 'New profiles',
    signIn: 'Sign in',
    register: 'Create an account',
    forPrograms: 'For programs and agents',
    order: 'Agents read these documents, in this order:',
    profiles: 'Addresses of profiles:',
  },
  de: {
    search: 'Menschen, Orte, Produkte und Seiten suchen',
    newest: 'Neue Profile',
    signIn: 'Anmelden',
    register: 'Konto erstellen',
    forPrograms: 'Für Programme und Agenten',
    order: 'Agenten lesen diese Dokumente, in dieser Reihenfolge:',
    profiles: 'Adressen von Profilen:',
  },
  ja: {
    search: '人物、場所、商品、ページを検索',
    newest: '新しいプロフィール',
    signIn: 'サインイン',
    register: 'アカウントを作成',
    forPrograms: 'プログラムとエージェント向け',
    order: 'エージェントは次の順に文書を読みます：',
    profiles: 'プロフィールのアドレス：',
  },
  ar: {
    search: 'البحث عن أشخاص وأماكن ومنتجات وصفحات',
    newest: 'ملفات جديدة',
    signIn: 'تسجيل الدخول',
    register: 'إنشاء حساب',
    forPrograms: 'للبرامج والوكلاء',
    order: 'يقرأ الوكلاء هذه المستندات بهذا الترتيب:',
    profiles: 'عناوين الملفات:',
  },
})
