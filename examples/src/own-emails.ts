import type { EepOptions } from '@eep/core'

/** Emails in German with the host's imprint, and with its own text for password resets. */
export const germanEmails = {
  language: 'de',
  logoUrl: 'https://shop.example/logo.png',
  imprint: 'Shop GmbH\nHauptstraße 1, 10115 Berlin',
  templates: {
    'password-reset': ({ username, link, seconds }, { subject }) => ({
      subject,
      text: `Hallo ${username},\n\nhier wählen Sie ein neues Passwort:\n\n${link}\n\nDer Link gilt ${seconds / 60} Minuten.`,
    }),
  },
} satisfies EepOptions['email']
