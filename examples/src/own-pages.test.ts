import { eep, pageTexts, serverOptions } from '@eep/core'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { openStorage } from '../../test/support/app.ts'
import { frenchPages } from './own-pages.ts'

const options = { publicUrl: 'https://profiles.example.com', secret: 'a secret of at least 32 characters' }

it('shows pages with the colors, logo, links and texts of the host, and English where a text has no translation', async () => {
  const { storage, close } = await openStorage()
  const app = Fastify(serverOptions)
  await app.register(eep, { ...options, name: 'Atlas', storage, pages: frenchPages })
  const headers = { accept: 'text/html', 'accept-language': 'fr-CA,fr;q=0.9' }
  const { body } = await app.inject({ method: 'GET', url: '/login', headers })
  for (const part of [
    '<html lang="fr" dir="ltr">',
    'Aller au texte',
    '<img src="/logo.png"',
    '--accent:#0b57d0;',
    '--accent:#a8c7fa;',
    'href="https://atlas.example/mentions-legales">Mentions légales</a>',
    'Sign in',
  ]) {
    expect(body).toContain(part)
  }
  const english = await app.inject({ method: 'GET', url: '/login', headers: { ...headers, 'accept-language': 'en' } })
  expect(english.body).toContain('Skip to the text')
  await app.close()
  await close()
})

it('translates texts that exist', () => {
  const known = Object.keys(pageTexts())
  for (const key of Object.keys(frenchPages.translations.fr)) expect(known).toContain(key)
})
