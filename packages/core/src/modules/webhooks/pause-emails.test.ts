import { expect, it, vi } from 'vitest'
import type { Webhook } from '../../ports/storage/webhooks.ts'
import { createPauseEmails, type PauseEmailDeps } from './pause-emails.ts'

it('stops without waiting for a slow mailer, and leaves the email to another process', async () => {
  const send = vi.fn(() => new Promise<boolean>(() => {}))
  const endPauseNotice = vi.fn()
  const tx = { webhooks: { takePauseNotices: async () => [{ id: 'paused' } as Webhook], endPauseNotice } }
  const emails = createPauseEmails({
    write: (work: (stores: typeof tx) => unknown) => work(tx),
    clock: () => new Date(),
    outbox: { send },
    service: 'Profiles',
    onError(error: unknown) {
      throw error
    },
  } as unknown as PauseEmailDeps)
  emails.start()
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce())
  await emails.stop()
  expect(send).toHaveBeenCalledOnce()
  expect(endPauseNotice).not.toHaveBeenCalled()
})
