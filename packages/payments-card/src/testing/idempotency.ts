import { isStripeFault, stripeFault } from './stripe-error.ts'

/** A stored response of a key. */
export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** Implements `Idempotency-Key`: successes and declines are stored, invalid requests are not. */
export function createIdempotency() {
  const kept = new Map<string, { readonly request: string; readonly answer: Answer | undefined }>()

  return {
    /** Deletes all keys, as Stripe does after a day. */
    forget: () => kept.clear(),

    async once(
      key: string | undefined,
      request: string,
      work: () => Promise<Answer>,
    ): Promise<Answer & { readonly replayed: boolean }> {
      if (key === undefined) return { ...(await work()), replayed: false }
      const known = kept.get(key)
      if (known && known.request !== request) {
        throw stripeFault(400, {
          type: 'idempotency_error',
          message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
        })
      }
      if (known && !known.answer) {
        throw stripeFault(409, {
          type: 'invalid_request_error',
          code: 'idempotency_key_in_use',
          message: 'There is currently another in-progress request using this Idempotent Key.',
        })
      }
      if (known?.answer) return { ...known.answer, replayed: true }
      kept.set(key, { request, answer: undefined })
      try {
        const answer = await work()
        kept.set(key, { request, answer })
        return { ...answer, replayed: false }
      } catch (error) {
        kept.delete(key)
        if (isStripeFault(error) && error.status === 402) {
          const answer = { status: error.status, body: { error: error.error } }
          kept.set(key, { request, answer })
          return { ...answer, replayed: false }
        }
        throw error
      }
    },
  }
}
