import { connect } from '@eep/test/support/oauth-server'
import { openDatabase } from './database.ts'
import { addSeller, LOGIN } from './seller.ts'
import { serve } from './server-process.ts'
import { createBenchApp } from './service.ts'

/** The service for assistants, and the credentials of an account. */
export interface AssistantSubject {
  readonly url: string
  readonly apiKey: string
  readonly appToken: string
}

await serve<{ readonly connectionString?: string }, AssistantSubject>(async ({ connectionString }) => {
  const { storage } = await openDatabase(connectionString)
  const app = await createBenchApp(storage, { auth: { passwordHashing: { memoryKiB: 1_024 } } })
  const url = await app.listen({ port: 0 })
  await addSeller(url)

  const signedIn = await app.inject({ method: 'POST', url: '/auth/login', payload: LOGIN })
  const { token, user } = signedIn.json()
  const headers = { authorization: `Bearer ${token}` }
  const scopes = ['read:profiles', 'read:content']
  const key = await app.inject({ method: 'POST', url: '/api-keys', headers, payload: { name: 'bench', scopes } })
  const connected = await connect({ app, storage }, { account: user }, { scopes })
  return { url, apiKey: key.json().key, appToken: connected.access_token }
})
