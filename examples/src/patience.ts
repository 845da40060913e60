// #region patience
import { setTimeout as sleep } from 'node:timers/promises'

/** A `fetch` that repeats the identical request while the outcome of its payment is unknown, and never pays twice. */
export const patient =
  (ask: typeof fetch, attempts = 20): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    for (let attempt = 1; ; attempt++) {
      const response = await ask(request.clone())
      if (response.status !== 503 || attempt === attempts) return response
      await sleep(Number(response.headers.get('retry-after') ?? 5) * 1000)
    }
  }
// #endregion
