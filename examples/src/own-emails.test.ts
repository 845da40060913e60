import { eep, serverOptions } from '@eep/core'
import type { Mail } from '@eep/core/ports'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { openStorage } from '../../test/support/app.ts'
import { germanEmails } from './own-emails.ts'

const options = { publicUrl: 'https://profiles.example.com', secret: 'a secret of at least 32 characters' }

it('sends the text of the host for password resets, and the German text for other emails', async () => {
  const { storage, close } = await openStorage()
  const mails: Mail[] = []
  const mailer = {
    async send(mail: Mail) {
      mails.push(mail)
    },
  }
  const app = Fastify(serverOptions)
  await app.register(eep, { ...options, name: 'Shop', storage, email: { ...germanEmails, mailer } })
  const [email, username] = ['ada@example.com', 'ada']
  const payload = { email, username, password: 'Correct horse 7 battery' }
  await app.inject({ method: 'POST', url: '/auth/register', payload })
  await expect.poll(() => mails, { timeout: 60_000 }).toHaveLength(1)
  await app.inject({ method: 'POST', url: '/auth/forgot-password', payload: { email } })
  await expect.poll(() => mails, { timeout: 60_000 }).toHaveLength(2)

  const [verification, reset] = mails
  expect(verification?.subject).toBe('Bestätigen Sie Ihre E-Mail-Adresse für Shop')
  expect(verification?.html).toContain('src="https://shop.example/logo.png"')
  expect(reset?.subject).toBe('Ein neues Passwort für Shop')
  expect(reset?.text).toMatch(/^Hallo ada,\n\nhier wählen Sie ein neues Passwort:\n\nhttps:\/\/\S+token=[\w-]{43}\n/)
  expect(reset?.text).toContain('Der Link gilt 60 Minuten.')
  expect(reset?.text).toContain('Shop GmbH\nHauptstraße 1, 10115 Berlin')
  expect(reset?.html).toMatch(/href="https:\/\/profiles\.example\.com\/reset-password\?token=/)
  await app.close()
  await close()
})

it('does not start with a template for a kind of email that does not exist', async () => {
  const { storage, close } = await openStorage()
  const app = Fastify(serverOptions)
  // A host in JavaScript gets no help from types.
  const templates = { 'pasword-reset': () => ({ subject: '', text: '' }) } as object
  const registered = app.register(eep, { ...options, storage, email: { templates } }).ready()
  await expect(registered).rejects.toThrow(/unknown kind of email "pasword-reset"; known are .*password-reset/)
  await close()
})
