import type { EepOptions } from '@eep/core'

/** Pages and emails in the colors of the host, in French where it has translated them, with its logo and imprint. */
export const frenchPages = {
  theme: { light: { accent: '#0b57d0' }, dark: { accent: '#a8c7fa' } },
  logoPath: '/logo.png',
  imprintUrl: 'https://atlas.example/mentions-legales',
  privacyUrl: 'https://atlas.example/confidentialite',
  languages: ['fr', 'en'],
  translations: {
    fr: { 'page.search': 'Rechercher', 'page.skip': 'Aller au texte', 'page.imprint': 'Mentions légales' },
  },
} satisfies EepOptions['pages']
