import { afterAll, expect } from 'vitest'
import { type Person, proveAddress, signUp } from './accounts.ts'
import type { TestAppOptions } from './app.ts'
import type { Client } from './client.ts'
import { openInstances } from './instances.ts'
import { createMailbox } from './mailbox.ts'
import { mergeOptions } from './options.ts'
import { createReceiver, type Receiver } from './receivers.ts'
import { newOrganization, type OwnedProfile } from './teams.ts'

/** The DID of an organization. */
export const didOf = ({ username }: OwnedProfile) => `did:web:profiles.example:o:${username}`

/** Changes a profile, which emits `entity.updated`. */
export const rename = (profile: OwnedProfile, full_name: string) => profile.owner.put(profile.path, { full_name })

/** A request for changes of a profile. */
export const subscriptionTo = (profile: OwnedProfile, to: Pick<Receiver, 'url'>, fields: object = {}) => ({
  source_did: didOf(profile),
  event_types: ['entity.updated'],
  delivery_method: 'webhook',
  delivery_url: to.url,
  ...fields,
})

/** Subscribes a receiver to changes of a profile. */
export async function subscribe(who: Client, profile: OwnedProfile, to: Receiver, fields: object = {}) {
  const response = await who.post('/eep/subscribe', subscriptionTo(profile, to, fields))
  expect(response.statusCode, response.body).toBe(201)
  const { subscription_id: id, ...made } = response.json()
  return { ...made, id, path: `/eep/subscriptions/${id}` }
}

/** What an account reads of a subscription. */
export const readWebhook = async (who: Person, { path }: { readonly path: string }) => (await who.get(path)).json()

/** Returns what starts a receiver that ends with the test file. */
export function createReceivers(): () => Promise<Receiver> {
  const receivers: Receiver[] = []
  afterAll(async () => {
    for (const each of receivers) await each.close()
  })
  return async () => {
    const receiver = await createReceiver()
    receivers.push(receiver)
    return receiver
  }
}

/**
 * Settings with which a failing delivery is tried four times without a pause. Receivers have as long to answer as the service
 * allows: on a busy machine a delivery that times out would be sent, and counted, again.
 */
export const IMPATIENT = { retrySeconds: [0, 0, 0], timeoutMs: 15_000 }

/** A service that delivers webhooks to this machine. It ends with the test file, and so do its receivers. */
export async function openWebhooks(options: TestAppOptions = {}) {
  const receiver = createReceivers()
  const mailbox = createMailbox()
  const defaults = {
    // Ports of tests are not known before: every port of this machine may be called.
    http: { allowPrivateHosts: ['127.0.0.1'] },
    webhooks: IMPATIENT,
    email: { mailer: mailbox.mailer },
  }
  const { database, instance } = await openInstances(mergeOptions(defaults, options))
  const app = await instance()
  return {
    app,
    database,
    instance,
    mailbox,
    receiver,
    /** A profile, another account with a webhook for it, and the receiver. */
    async setUp(fields: object = {}) {
      const [profile, ada, hook] = [await newOrganization(app), await signUp(app), await receiver()]
      await proveAddress(database, ada)
      return { profile, ada, hook, made: await subscribe(ada, profile, hook, fields) }
    },
  }
}
