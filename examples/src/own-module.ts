import { randomUUID } from 'node:crypto'
import { kyselyOf } from '@eep/adapters-postgres'
import { type EepOptions, eep, serverOptions } from '@eep/core'
import { everything } from '@eep/core/everything'
import {
  callerOf,
  defineConsumer,
  defineError,
  defineEvent,
  defineMessages,
  defineModule,
  defineNotification,
  profiles,
  routeConfig,
} from '@eep/core/module'
import type { Storage } from '@eep/core/ports'
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

// #region messages
const contactMessages = defineMessages(
  {
    'contact.received.one': 'A visitor sent a message to {name}',
    'contact.received.other': '{count} visitors sent a message to {name}',
  },
  {
    de: {
      'contact.received.one': 'Jemand hat {name} eine Nachricht gesendet',
      'contact.received.other': '{count} Menschen haben {name} eine Nachricht gesendet',
    },
  },
)
// #endregion

// #region notification
export const contactNotification = defineNotification({
  kind: 'contact',
  summary: 'Messages of visitors',
  events: [messageSent],
  data: z.object({}),
  notify: ({ profileId }) => (profileId === null ? undefined : { to: { profileId }, groupKey: 'contact', data: {} }),
  text: (facts) => ({
    title: contactMessages('contact')(facts)('received', { count: facts.count, name: facts.about?.username ?? '' }),
  }),
})
// #endregion

// #region table
/** The table of the module. The host creates and migrates it. */
interface ContactTables {
  contact_messages: { id: string; profile_id: number; from_account: string; text: string }
}

/** Creates the table of the module; call it before the service starts. */
export const createContactTable = (storage: Storage) =>
  storage.transaction(async (tx) => {
    await kyselyOf<ContactTables>(tx)
      .schema.createTable('contact_messages')
      .ifNotExists()
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('profile_id', 'bigint', (column) => column.notNull())
      .addColumn('from_account', 'text', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      .execute()
  })
// #endregion

// #region module
/** Messages to profiles: `POST /contact/{username}`, forwarded to the CRM of the host. */
export const contactModule = (crm: Crm) =>
  defineModule({
    name: 'contact',
    requires: [profiles],
    events: [messageSent],
    notifications: [contactNotification],
    messages: contactMessages,
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
          // The row and the event are stored together, or neither is.
          await write(async (tx, emit) => {
            const message = { id: randomUUID(), profile_id: profile.id, from_account: accountId, text }
            await kyselyOf<ContactTables>(tx).insertInto('contact_messages').values(message).execute()
            emit(messageSent, { text, from: accountId }, { profileId: profile.id })
          })
        },
      },
    }),

    routes(app, { contact }) {
      app.post(
        '/contact/:username',
        {
          config: routeConfig({
            auth: 'key',
            scope: 'write:contact',
            limit: 'contact',
            tag: 'contact',
            operationId: 'sendContactMessage',
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
    eraseAccount: () => ({
      before: ({ id }) => crm.forget(id),
      async within(tx, { id }) {
        await kyselyOf<ContactTables>(tx).deleteFrom('contact_messages').where('from_account', '=', id).execute()
      },
    }),
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
    modules: [...everything({ commerce: false, listings: false }), contactModule(crm)],
    without: ['teams'],
  })
  // #endregion
  return app
}
