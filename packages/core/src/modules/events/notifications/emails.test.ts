import { expect, it, vi } from 'vitest'
import type { DueEmail, Notification, NotificationDigest } from '../../../ports/storage/notifications.ts'
import { notificationEmail } from './email-definitions.ts'
import { createNotificationEmails, type NotificationEmailDeps } from './emails.ts'

const retryAt = new Date()

const notificationOf = (id: string): Notification => ({
  id,
  accountId: 'ada',
  kind: 'follow',
  profileId: null,
  permission: null,
  data: {},
  inApp: true,
  position: 1,
  count: 1,
  actors: [],
  about: null,
  readAt: null,
  through: null,
  createdAt: retryAt,
  updatedAt: retryAt,
})

/** The emails of some attempts, and what came of them. */
function setUp(send: () => Promise<boolean>, attempts: { emails?: readonly number[]; digests?: readonly number[] }) {
  const emails = (attempts.emails ?? []).map((attempt): DueEmail => {
    return { notification: notificationOf(`email ${attempt}`), attempt, retryAt }
  })
  const digests = (attempts.digests ?? []).map((attempt): NotificationDigest => {
    const waiting = { listed: 0, unlisted: 0 }
    return { accountId: `digest ${attempt}`, items: [], waiting, upTo: 1, attempt, retryAt }
  })
  const ended: string[] = []
  const error = vi.fn()
  const tx = {
    notifications: {
      takeEmail: async () => emails.shift(),
      endEmail: async (id: string) => void ended.push(id),
      takeDigest: async () => digests.shift(),
      endDigest: async ({ accountId }: NotificationDigest) => void ended.push(accountId),
    },
  }
  // Emails use these stores and settings only.
  const loop = createNotificationEmails({
    write: (work: (stores: typeof tx) => unknown) => work(tx),
    clock: () => new Date(),
    outbox: { send },
    composer: { emailOf: () => notificationEmail },
    digestHour: 8,
    logger: { error },
    onError(fault: unknown) {
      throw fault
    },
  } as unknown as NotificationEmailDeps)
  return { loop, ended, error }
}

it('stops without waiting for a slow mailer, and leaves the email to another process', async () => {
  const send = vi.fn(() => new Promise<boolean>(() => {}))
  const { loop, ended, error } = setUp(send, { emails: [8, 1] })
  loop.start()
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce())
  await loop.stop()
  expect(send).toHaveBeenCalledOnce()
  expect(ended).toEqual([])
  expect(error).not.toHaveBeenCalled()
})

it('gives up an email after eight attempts, and logs it', async () => {
  const send = vi.fn(async () => false)
  const { loop, ended, error } = setUp(send, { emails: [1, 7, 8] })
  loop.start()
  await vi.waitFor(() => expect(ended).toEqual(['email 8']))
  await loop.stop()
  expect(send).toHaveBeenCalledTimes(3)
  const details = { account: 'ada', kind: 'follow', notification: 'email 8', attempts: 8 }
  expect(error.mock.calls).toEqual([[details, expect.stringContaining('gave up')]])
})

it('gives up a digest after eight attempts, and logs it', async () => {
  const send = vi.fn(async () => false)
  const { loop, ended, error } = setUp(send, { digests: [1, 7, 8] })
  loop.start()
  await vi.waitFor(() => expect(ended).toEqual(['digest 8']))
  await loop.stop()
  expect(send).toHaveBeenCalledTimes(3)
  expect(error.mock.calls).toEqual([[{ account: 'digest 8', attempts: 8 }, expect.stringContaining('gave up')]])
})

it('does not send an email again whose eighth attempt ended with its process', async () => {
  const send = vi.fn(async () => true)
  const { loop, ended, error } = setUp(send, { emails: [9], digests: [9] })
  loop.start()
  await vi.waitFor(() => expect(ended).toEqual(['email 9', 'digest 9']))
  await loop.stop()
  expect(send).not.toHaveBeenCalled()
  expect(error).toHaveBeenCalledTimes(2)
})
