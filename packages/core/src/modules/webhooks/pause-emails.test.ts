import { expect, it, vi } from 'vitest'
import type { PauseNotice, Webhook } from '../../ports/storage/webhooks.ts'
import { createPauseEmails, type PauseEmailDeps } from './pause-emails.ts'

const retryAt = new Date()

/** The emails about some notices, and what came of them. */
function setUp(send: () => Promise<boolean>, attempts: readonly number[]) {
  const notices: PauseNotice[] = attempts.map((attempt) => ({
    webhook: { id: `${attempt}` } as Webhook,
    attempt,
    retryAt,
  }))
  const ended: string[] = []
  const error = vi.fn()
  const tx = {
    webhooks: {
      takePauseNotices: async () => notices.splice(0, 1),
      endPauseNotice: async (id: string) => void ended.push(id),
    },
  }
  const emails = createPauseEmails({
    write: (work: (stores: typeof tx) => unknown) => work(tx),
    clock: () => new Date(),
    outbox: { send },
    service: 'Profiles',
    logger: { error },
    onError(fault: unknown) {
      throw fault
    },
  } as unknown as PauseEmailDeps)
  return { emails, ended, error }
}

it('stops without waiting for a slow mailer, and leaves the email to another process', async () => {
  const send = vi.fn(() => new Promise<boolean>(() => {}))
  const { emails, ended, error } = setUp(send, [8, 1])
  emails.start()
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce())
  await emails.stop()
  expect(send).toHaveBeenCalledOnce()
  expect(ended).toEqual([])
  expect(error).not.toHaveBeenCalled()
})

it('gives up an email about a pause after eight attempts, and logs it', async () => {
  const send = vi.fn(async () => false)
  const { emails, ended, error } = setUp(send, [1, 7, 8])
  emails.start()
  await vi.waitFor(() => expect(ended).toEqual(['8']))
  await emails.stop()
  expect(send).toHaveBeenCalledTimes(3)
  expect(error.mock.calls).toEqual([[{ webhook: '8', attempts: 8 }, expect.stringContaining('given up')]])
})
