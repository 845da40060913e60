import type { PostgresStorage } from '@eep/adapters-postgres'
import type { LightMyRequestResponse } from 'fastify'
import { type Client, client, type Headers, type Requests } from './client.ts'

export const PASSWORD = 'Correct horse 7 battery'

/** An account as `/auth/register` answers it. */
export interface SignedUp {
  readonly id: string
  readonly email: string
  readonly username: string
  readonly active_profile_id: number
  readonly profiles: readonly { readonly id: number; readonly profile_type: string; readonly username: string }[]
}

let count = 0

/** A username that no other test of the file has. */
export const newName = () => `user-${++count}`

/** A body that `/auth/register` takes. */
export const newRegistration = (username = newName()) => ({
  email: `${username}@example.com`,
  password: PASSWORD,
  username,
})

export const register = (app: Requests, body: object) => client(app).post('/auth/register', body)
export const login = (app: Requests, email: string, password = PASSWORD) =>
  client(app).post('/auth/login', { email, password })
export const me = (app: Requests, headers: Headers) => client(app).get('/auth/me', headers)

/** An account, and a client that is signed in to it. `headers` sign the requests of other clients. */
export interface Person extends Client {
  readonly token: string
  readonly headers: Headers
  readonly account: SignedUp
}

/** The DID of an account's own profile. */
export const didOf = ({ account }: Pick<Person, 'account'>) => `did:web:profiles.example:u:${account.username}`

/** Registers an account. Default: with a unique name. */
export async function signUp(app: Requests, name?: string): Promise<Person> {
  const response = await register(app, newRegistration(name))
  if (response.statusCode !== 201) throw new Error(`${name} could not sign up: ${response.body}`)
  const { token, user } = response.json<{ token: string; user: SignedUp }>()
  const headers = { authorization: `Bearer ${token}` }
  return { ...client(app).with(headers), token, headers, account: user }
}

/** Registers an account and writes a bio, so that lists of profiles hold its profile. */
export async function signUpListed(app: Requests, name?: string): Promise<Person> {
  const person = await signUp(app, name)
  const { statusCode, body } = await person.put(`/profiles/u/${person.account.username}`, { bio: 'Writes notes' })
  if (statusCode !== 200) throw new Error(`${person.account.username} could not write a bio: ${body}`)
  return person
}

/** Ends the bearer token of these headers, as a client does that puts it into the session cookie. */
export const signOut = (app: Requests, { authorization = '' }: Headers) =>
  client(app).post('/auth/logout', undefined, { cookie: `__Host-eep_session=${authorization.replace('Bearer ', '')}` })

/** Marks the email address of an account as verified. */
export const proveAddress = (
  { storage }: { readonly storage: Pick<PostgresStorage, 'transaction'> },
  { account }: { readonly account: Pick<SignedUp, 'id'> },
) => storage.transaction((tx) => tx.accounts.save(account.id, { emailVerified: true, emailOwned: true }))

/** Makes an account an administrator of the service. */
export const makeAdministrator = (
  { storage }: { readonly storage: Pick<PostgresStorage, 'transaction'> },
  { account }: Person,
) => storage.transaction((tx) => tx.accounts.save(account.id, { isAdmin: true }))

/** The code of an error answer. */
export const codeOf = (response: LightMyRequestResponse) => response.json<{ error: { code: string } }>().error.code

export const sessionCookieOf = (response: LightMyRequestResponse) =>
  response.cookies.find(({ name }) => name.endsWith('eep_session'))

/**
 * Requests something for a known email address and for unknown ones, and returns how often the known one is slower: a half,
 * when the times reveal nothing.
 */
export async function shareOfSlower(known: string, request: (email: string) => Promise<unknown>): Promise<number> {
  const milliseconds = async (email: string) => {
    const start = performance.now()
    await request(email)
    return performance.now() - start
  }
  const ofKnown: number[] = []
  const ofUnknown: number[] = []
  for (let round = 0; round < 100; round++) {
    ofKnown.push(await milliseconds(known))
    ofUnknown.push(await milliseconds(`unknown-${round}@example.com`))
  }
  const slower = ofKnown.flatMap((one) => ofUnknown.map((other) => Number(one > other)))
  return slower.reduce((sum, each) => sum + each, 0) / slower.length
}
