/** The result of a check. `skipped`: there is nothing to check in this configuration. */
export interface Finding {
  readonly check: string
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped'
  /** A sentence for the operator, without secrets. */
  readonly detail: string
  /** What to do about it. */
  readonly fix?: string | undefined
}

/** What a check found, without its name. */
export type Found = Omit<Finding, 'check'>

export const ok = (detail: string): Found => ({ status: 'ok', detail })
export const skipped = (detail: string): Found => ({ status: 'skipped', detail })
export const warning = (detail: string, fix: string): Found => ({ status: 'warning', detail, fix })
export const failed = (detail: string, fix: string): Found => ({ status: 'failed', detail, fix })

/** What checks of adapters find: `found.ok('the tapes answer')`. */
export const found = { ok, skipped, warning, failed }

/** The time for one check. */
const LIMIT_MS = 15_000

/** Returns a short reason of an error. Messages of drivers and clients may quote an address with its password, so those are cut out. */
export function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  const { message, code, cause } = (first ?? {}) as { message?: unknown; code?: unknown; cause?: unknown }
  const known = typeof code === 'string' ? code : (cause as { code?: unknown } | undefined)?.code
  const text = typeof message === 'string' ? message.split('\n')[0]?.replaceAll(/\w+:\/\/\S+/g, '(address)') : ''
  return [typeof known === 'string' ? known : '', text].filter(Boolean).join(': ').slice(0, 200) || 'no reason'
}

/**
 * Runs a check, which fails when it throws or takes longer than 15 seconds.
 *
 * @param fix - what to do about it then
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * await check('tapes', 'Check TAPES_URL', async () => found.ok(`${await count()} tapes`))
 */
export async function check(name: string, fix: string, work: () => Promise<Found> | Found): Promise<Finding> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Found>((resolve) => {
    timer = setTimeout(() => resolve(failed(`no response within ${LIMIT_MS / 1_000} seconds`, fix)), LIMIT_MS)
  })
  try {
    return { check: name, ...(await Promise.race([work(), late])) }
  } catch (error) {
    return { check: name, ...failed(reasonOf(error), fix) }
  } finally {
    clearTimeout(timer)
  }
}
