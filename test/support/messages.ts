import type { Storage } from '@eep/core/ports'
import { type Person, signUp } from './accounts.ts'
import type { TestApp } from './app.ts'
import type { Headers, Response } from './client.ts'
import { openInstances } from './instances.ts'

export const CONVERSATIONS = '/messages/conversations'

/** Options for tests that are not about limits: accounts write to whom they like, as often as they like. */
export const OPEN_MESSAGES = {
  messages: { minTrustScore: 0, newAccountDays: 0, perMinute: 100_000, newPerHour: 100_000 },
}

/** A message as routes answer it. */
export interface MessageRecord {
  readonly id: string
  readonly conversation_id: string
  readonly seq: number
  readonly body: string | null
  readonly state: string
  readonly kind: string
  readonly is_own: boolean
  readonly client_id: string | null
  readonly sender_profile_id: number | null
  readonly created_at: string
}

/** A new account whose profile is trusted enough to write first. `isContactable` lets everyone write to it. */
export async function signUpTrusted(
  app: TestApp,
  storage: Storage,
  { isContactable = true }: { isContactable?: boolean } = {},
): Promise<Person> {
  const person = await signUp(app)
  await storage.transaction((tx) => tx.accounts.save(person.account.id, { emailVerified: true, emailOwned: true }))
  if (isContactable) await makeContactable(person)
  return person
}

/** Gives the profile of a person the trait `contactable`. */
export async function makeContactable(person: Person): Promise<void> {
  const answer = await person.put(`/profiles/u/${person.account.username}`, { capabilities: ['contactable'] })
  if (answer.statusCode !== 200) throw new Error(`not contactable: ${answer.body}`)
}

/** The service for a test file about messages, and people who trust each other enough to write first. */
export async function openMessages() {
  const { database, instance } = await openInstances()
  const app = await instance()
  const person = (isContactable = true) => signUpTrusted(app, database.storage, { isContactable })
  return {
    app,
    database,
    /** One more instance on the same database. */
    openOther: () => instance({ storage: database.another() }),
    instance,
    person,
    pair: async (): Promise<readonly [Person, Person]> => [await person(), await person()],
  }
}

export const addressOf = ({ account }: Person) => `u/${account.username}`
export const profileIdOf = ({ account }: Person) => account.active_profile_id

/** Sends the first message to a person. */
export const writeTo = (from: Person, to: Person, body = 'Hello', fields: object = {}): Promise<Response> =>
  from.post(CONVERSATIONS, { to: addressOf(to), body, ...fields })

/** Opens the conversation of two people, and returns its id. */
export async function openConversation(from: Person, to: Person, body?: string): Promise<string> {
  const answer = await writeTo(from, to, body)
  if (answer.statusCode !== 201) throw new Error(`no conversation: ${answer.body}`)
  return answer.json().conversation.id
}

export const reply = (from: Person, id: string, body = 'Hello', fields: object = {}, headers?: Headers) =>
  from.post(`${CONVERSATIONS}/${id}/messages`, { body, ...fields }, headers)

export async function messagesOf(who: Person, id: string, query = ''): Promise<readonly MessageRecord[]> {
  const answer = await who.get(`${CONVERSATIONS}/${id}/messages?order=asc&limit=100${query}`)
  if (answer.statusCode !== 200) throw new Error(`no messages: ${answer.body}`)
  return answer.json().data
}

export const bodiesOf = async (who: Person, id: string) => (await messagesOf(who, id)).map(({ body }) => body)
