import { type EepOptions, eep, serverOptions } from '@eep/core'
import { callerOf, defineConsumer, defineError, defineEvent, defineModule, facts, profiles } from '@eep/core/module'
import Fastify from 'fastify'
import { z } from 'zod'

/** The system that this host forwards messages to. */
export interface Crm {
  ping(): Promise<void>
  /** A message with a known id is stored once. */
  add(message: { readonly id: string; readonly profileId: number | null; readonly text: string }): Promise<void>
  forget(accountId: string): Promise<void>
  close(): Promise<void>
}

// #region declarations
export const messageSent = defineEvent('contact.message_sent', {
  audience: 'team',
  subject: 'profile',
  data: z.object({ text: z.string(), from: z.string() }),
  summary: 'A visitor sent a message to a profile',
})

const ownProfile = defineError('contact_own_profile', 409, 'You cannot send a message to your own profile')
// #endregion

// #region module
/** Messages to profiles: `POST /contact/{username}`, forwarded to the CRM of the host. */
export const contactModule = (crm: Crm) =>
  defineModule({
    name: 'contact',
    requires: [profiles],
    events: [messageSent],
    scopes: ['write:contact'],
    limits: { contact: 10 },

    create: ({ write }, { profiles: directory }) => ({
      contact: {
        /**
         * Sends a message to a person.
         *
         * @throws `contact_own_profile`, `profile_not_found`
         */
        async send(accountId: string, username: string, text: string) {
          const profile = await directory.find('person', username)
          if (profile.ownerAccountId === accountId) throw ownProfile()
          await write(async (_tx, emit) => emit(messageSent, { text, from: accountId }, { profileId: profile.id }))
        },
      },
    }),

    routes(app, { contact }) {
      app.post(
        '/contact/:username',
        {
          config: facts({
            auth: 'key',
            scope: 'write:contact',
            limit: 'contact',
            tag: 'contact',
            operationId: 'sendMessage',
            summary: 'Send a message to a person',
            errors: [ownProfile],
          }),
          schema: {
            params: z.object({ username: z.string().max(64) }),
            body: z.strictObject({ text: z.string().min(1).max(2_000) }),
            response: { 200: z.object({ sent: z.literal(true) }) },
          },
        },
        async (request) => {
          const { account } = callerOf(request)
          await contact.send(account.id, request.params.username, request.body.text)
          return { sent: true as const }
        },
      )
    },

    public: { contact: ({ contact }) => ({ send: contact.send }) },
    consumers: () => [
      defineConsumer({
        name: 'crm',
        events: [messageSent],
        handle: ({ id, profileId, data }) => crm.add({ id, profileId, text: data.text }),
      }),
    ],
    readiness: () => [{ name: 'crm', ping: () => crm.ping() }],
    eraseAccount: () => ({ before: ({ id }) => crm.forget(id) }),
    close: () => crm.close(),
  })
// #endregion

// #region types
declare module '@eep/core' {
  interface EepExtensions {
    contact: ReturnType<typeof contactModule>
  }
}
// #endregion

/** A host with its own module, and without two of the service. */
export async function createHost(crm: Crm, options: Pick<EepOptions, 'storage' | 'secret'>) {
  const app = Fastify({ ...serverOptions })
  // #region register
  await app.register(eep, {
    publicUrl: 'https://api.example.com',
    ...options,
    modules: { teams: false, commerce: false, services: false },
    extend: [contactModule(crm)],
  })
  // #endregion
  return app
}
