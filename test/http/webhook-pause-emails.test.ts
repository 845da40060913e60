import { afterAll, expect, it } from 'vitest'
import { proveAddress, signUp } from '../support/accounts.ts'
import { createTestApp, openStorage } from '../support/app.ts'
import { createMailbox } from '../support/mailbox.ts'
import { newOrganization } from '../support/teams.ts'
import { soon } from '../support/wait.ts'
import { createReceivers, IMPATIENT, readWebhook, rename, subscribe } from '../support/webhooks.ts'

const receiver = createReceivers()
const database = await openStorage()
afterAll(database.close)
const { storage } = database
const common = { http: { allowPrivateHosts: ['127.0.0.1'] }, webhooks: IMPATIENT, storage }

it('sends the pause email from another process when the first one fails to send it', async () => {
  const tried: string[] = []
  const mailer = {
    async send({ subject }: { readonly subject: string }) {
      tried.push(subject)
      throw new Error('the connection was lost')
    },
  }
  const first = await createTestApp({ ...common, email: { mailer } })
  const [profile, ada, hook] = [await newOrganization(first.app), await signUp(first.app), await receiver()]
  await proveAddress(database, ada)
  const made = await subscribe(ada, profile, hook)
  hook.answerWith((_received, response) => response.writeHead(410).end())
  await rename(profile, 'Gone')
  await soon(async () => expect(await readWebhook(ada, made)).toMatchObject({ pause_reason: 'gone' }))
  await soon(() => expect(tried.filter((subject) => subject.includes('paused'))).toHaveLength(1))
  await first.close()

  const mailbox = createMailbox()
  const clock = () => new Date(Date.now() + 3_600_000)
  const second = await createTestApp({ ...common, clock, email: { mailer: mailbox.mailer } })
  expect((await mailbox.take(ada.account.email, 'paused')).text).toContain(made.id)
  await second.close()
})
