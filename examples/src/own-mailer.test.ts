import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { eep, serverOptions } from '@eep/core'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStorage } from '../../test/support/app.ts'
import { apiMailer } from './own-mailer.ts'

const emails: unknown[] = []
let isDown = false
const provider = createServer((request, response) => {
  const end = () => response.writeHead(isDown ? 503 : 200).end()
  if (request.method !== 'POST') return end()
  json(request).then((email) => {
    emails.push(email)
    end()
  }, end)
})
let url: string
beforeAll(async () => {
  await once(provider.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
})
afterAll(() => void provider.close())

it('sends the email that verifies an address through the provider', async () => {
  const { storage, close } = await openStorage()
  const app = Fastify(serverOptions)
  const mailer = apiMailer({ url, key: 'secret', from: 'no-reply@example.com' })
  const options = { publicUrl: 'https://profiles.example.com', secret: 'a secret of at least 32 characters' }
  await app.register(eep, { ...options, storage, email: { mailer } })
  const payload = { email: 'ada@example.com', password: 'Correct horse 7 battery', username: 'ada' }
  await app.inject({ method: 'POST', url: '/auth/register', payload })
  await expect.poll(() => emails, { timeout: 60_000 }).toHaveLength(1)
  expect(emails[0]).toMatchObject({ from: 'no-reply@example.com', to: 'ada@example.com', text: expect.any(String) })
  await app.close()
  await close()
})

it('throws while the provider is down', async () => {
  isDown = true
  const mailer = apiMailer({ url, key: 'secret', from: 'no-reply@example.com' })
  await expect(mailer.ping?.()).rejects.toThrow('503')
  await expect(mailer.send({ to: 'ada@example.com', subject: '', text: '', html: '' })).rejects.toThrow('503')
})
