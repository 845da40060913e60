import { AsyncLocalStorage } from 'node:async_hooks'
import type { z } from 'zod'
import type { EepLogger } from '../../ports/logger.ts'
import type { Mail, Mailer } from '../../ports/mailer.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { EmailDefinition } from './define-email.ts'
import { emailsSent, emailsWaiting } from './metrics.ts'
import type { EmailWriter, Letter } from './write-email.ts'

export interface OutboxOptions {
  readonly mailer: Mailer | undefined
  readonly write: EmailWriter
  readonly logger: EepLogger | undefined
  readonly metrics: Pick<Metrics, 'counter' | 'observe'>
  /** The maximum number of emails sent concurrently. */
  readonly concurrency?: number | undefined
  /** The maximum number of waiting emails. Further ones are dropped. */
  readonly maxWaiting?: number | undefined
  /** The time limit for sending one email. */
  readonly timeoutMs?: number | undefined
}

/** An email to write and send. Preparing it is part of the background work; `undefined` sends nothing. */
interface Posting {
  /** For the log; the text and the secrets of an email are never logged. */
  readonly kind: string
  readonly make: () => Promise<Mail | undefined>
  /** Runs work in the asynchronous context of what asked for this email, whichever email was sent before it. */
  readonly inContext: <Result>(work: () => Result) => Result
}

type Prepare<Data extends z.ZodType> = () =>
  | Letter<z.output<Data>>
  | undefined
  | Promise<Letter<z.output<Data>> | undefined>

const LAST_MAILS_MS = 5_000
const NOT_SENT = 'an email was not sent'

/** Returns a short reason. Error messages of a mailer are not logged, because they may quote the email. */
function reasonOf(error: unknown): string {
  const { name, code, responseCode } = error as { name?: unknown; code?: unknown; responseCode?: unknown }
  return [name, code, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ')
}

/** The emails of one instance. */
export interface OutboxStats {
  readonly isConfigured: boolean
  readonly waiting: number
  /** Since the start of the instance. An email that is sent again counts again. */
  readonly sent: number
  readonly failed: number
  /** Because too many were waiting. */
  readonly dropped: number
  /** When the last one failed or was dropped. */
  readonly lastFailedAt: Date | null
}

/** Sends email after the response: its duration and outcome appear only in the log. */
export function createOutbox({
  mailer,
  write,
  logger,
  metrics,
  concurrency = 4,
  maxWaiting = 1_000,
  timeoutMs = 60_000,
}: OutboxOptions) {
  const waiting: Posting[] = []
  const delayed = new Map<NodeJS.Timeout, Posting>()
  const running = new Set<Promise<unknown>>()
  const measure = metrics.counter(emailsSent)
  const ended = { sent: 0, failed: 0, dropped: 0 }
  let lastFailedAt: Date | null = null
  const count = ({ kind, outcome }: { readonly kind: string; readonly outcome: keyof typeof ended }) => {
    ended[outcome] += 1
    if (outcome !== 'sent') lastFailedAt = new Date()
    measure({ kind, outcome })
  }
  const unfinished = () => waiting.length + delayed.size + running.size
  metrics.observe(emailsWaiting, () => [{ labels: {}, value: unfinished() }])

  async function send(to: Mailer, mail: Mail): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(Object.assign(new Error('late'), { name: 'timeout' })), timeoutMs).unref()
    })
    try {
      await Promise.race([to.send(mail), late])
    } finally {
      clearTimeout(timer)
    }
  }

  /** False when the mailer failed and the email may be retried. */
  async function run({ kind, make }: Posting): Promise<boolean> {
    try {
      const mail = await make()
      if (mail && mailer) {
        await send(mailer, mail)
        count({ kind, outcome: 'sent' })
      } else if (mail) logger?.warn({ kind, reason: 'no mailer is configured' }, NOT_SENT)
      return true
    } catch (error) {
      logger?.error({ kind, reason: reasonOf(error) }, NOT_SENT)
      count({ kind, outcome: 'failed' })
      return false
    }
  }

  function work(): void {
    while (running.size < concurrency) {
      const posting = waiting.shift()
      if (!posting) return
      const turn = posting
        .inContext(() => run(posting))
        .finally(() => {
          running.delete(turn)
          work()
        })
      running.add(turn)
    }
  }

  const postingOf = <Data extends z.ZodType>(
    email: EmailDefinition<string, Data>,
    prepare: Prepare<Data>,
  ): Posting => ({
    kind: email.kind,
    inContext: AsyncLocalStorage.snapshot(),
    async make() {
      const letter = await prepare()
      return letter && write(email, letter)
    },
  })

  return {
    /**
     * Queues an email and returns immediately. The work starts at a random moment within `withinMs`, so that its load does not
     * reveal through the timing of later requests whether there is an email.
     */
    post<Data extends z.ZodType>(email: EmailDefinition<string, Data>, prepare: Prepare<Data>, withinMs = 0): void {
      if (waiting.length + delayed.size >= maxWaiting) {
        logger?.error({ kind: email.kind, reason: 'too many emails are waiting' }, NOT_SENT)
        count({ kind: email.kind, outcome: 'dropped' })
        return
      }
      const posting = postingOf(email, prepare)
      const timer = setTimeout(() => {
        delayed.delete(timer)
        waiting.push(posting)
        work()
      }, Math.random() * withinMs)
      delayed.set(timer, posting)
    },

    /** Sends an email now. Returns false when it failed and may be sent later. */
    send: <Data extends z.ZodType>(email: EmailDefinition<string, Data>, prepare: Prepare<Data>): Promise<boolean> =>
      run(postingOf(email, prepare)),

    /** The emails of this instance since its start, and whether it can send any. */
    stats: (): OutboxStats => ({ isConfigured: mailer !== undefined, waiting: unfinished(), ...ended, lastFailedAt }),

    /** Waits a limited time for emails in progress, then closes the mailer. */
    async close(): Promise<void> {
      const until = Date.now() + LAST_MAILS_MS
      for (const [timer, posting] of delayed) {
        clearTimeout(timer)
        waiting.push(posting)
      }
      delayed.clear()
      while (waiting.length + running.size > 0 && Date.now() < until) {
        work()
        await Promise.race([...running, new Promise((resolve) => setTimeout(resolve, 50))])
      }
      await mailer?.close?.()
    },
  }
}

export type Outbox = ReturnType<typeof createOutbox>
