import type { SigningJwk } from '../../kernel/keyring.ts'
import { replaceKept } from '../replace-kept.ts'
import { type KeptFile, SECRET, SIGNING_KEY } from '../secrets.ts'
import { type Command, CommandError, UsageError } from './command.ts'

const DAY_MS = 24 * 3_600_000
/** The lifetime of sessions, which a former secret verifies. */
const KEPT_DAYS = 7

/** One of the two things that rotate. */
interface Rotated<Value> {
  readonly what: string
  readonly variable: 'EEP_SECRET' | 'EEP_SIGNING_KEY'
  readonly kept: KeptFile<Value>
  /** Throws unless the oldest value may be removed. */
  assertUnused(addedAt: Date): void
}

const SECRETS: Rotated<string> = {
  what: 'secret',
  variable: 'EEP_SECRET',
  kept: SECRET,
  assertUnused(addedAt) {
    const from = new Date(addedAt.getTime() + KEPT_DAYS * DAY_MS)
    if (from.getTime() <= Date.now()) return
    throw new CommandError(
      `The last secret was added less than ${KEPT_DAYS} days ago, so the oldest may still verify sessions: wait until ${from.toISOString()}, or end those sessions with --force`,
    )
  },
}

const SIGNING_KEYS: Rotated<SigningJwk> = {
  what: 'signing key',
  variable: 'EEP_SIGNING_KEY',
  kept: SIGNING_KEY,
  assertUnused() {
    throw new CommandError(
      'Receipts that the oldest signing key signed can no longer be verified online without it; remove it with --force',
    )
  },
}

interface Change {
  readonly prunes: boolean
  readonly isForced: boolean
}

interface Outcome {
  readonly lines: readonly string[]
  readonly json: object
}

function changed<Value>({ what, kept }: Rotated<Value>, values: readonly Value[], prunes: boolean): readonly Value[] {
  if (!prunes) return [kept.make(), ...values]
  if (values.length === 1) throw new CommandError(`There is only one ${what}, which is in use`)
  return values.slice(0, -1)
}

/**
 * The variables belong to the operator, so the new values are printed. Several instances restart one after another, and each must
 * verify what another one signs, so the new value is first added at the end.
 */
function printed<Value>(rotated: Rotated<Value>, values: readonly Value[], { prunes }: Change): Outcome {
  const { what, variable, kept } = rotated
  const next = changed(rotated, values, prunes)
  const value = kept.format(next)
  const json = { source: variable, changed: false, value, count: next.length }
  if (prunes) {
    return {
      lines: [
        `Nothing is changed. Set the variable without the oldest ${what}, and restart the hosts:`,
        `${variable}=${value}`,
      ],
      json,
    }
  }
  const verifiesOnly = kept.format([...values, ...next.slice(0, 1)])
  const lines = [
    `Nothing is changed. 1. Add the new ${what} at the end, and restart every host (with a single host, begin with 2):`,
    `${variable}=${verifiesOnly}`,
    `2. Once all of them accept it, put it in front, and restart every host:`,
    `${variable}=${value}`,
  ]
  return { lines, json: { ...json, value_before: verifiesOnly } }
}

async function stored<Value>(rotated: Rotated<Value>, dataDir: string, change: Change): Promise<Outcome> {
  const { what, kept, assertUnused } = rotated
  const { prunes, isForced } = change
  const { after } = await replaceKept(
    dataDir,
    kept,
    (values, addedAt) => {
      const next = changed(rotated, values, prunes)
      if (prunes && !isForced) assertUnused(addedAt)
      return next
    },
    prunes,
  )
  const formers = after.length === 2 ? 'one former one is kept' : `${after.length - 1} former ones are kept`
  return {
    lines: [
      `${dataDir}/${kept.name}: ${prunes ? `the oldest ${what} is removed` : `a new ${what} is in front`}; ${formers}`,
    ],
    json: { source: `${dataDir}/${kept.name}`, changed: true, count: after.length },
  }
}

/** Adds a new secret or signing key in front of the former ones, or removes the oldest. */
export const keysRotate: Command = {
  name: 'keys rotate',
  usage: '[--secret] [--signing-key] [--prune [--force]]',
  summary: 'adds a new secret or signing key, or removes the oldest',
  help: `Adds a new secret or signing key in front of the former ones, which stay valid. Values in the data directory are
replaced atomically. Values of EEP_SECRET and EEP_SIGNING_KEY are printed, and nothing is changed. Running hosts keep
the values that they read at their start; restart them to use the new ones.

  --secret        the secret of sessions, cookies and stored responses
  --signing-key   the key that signs receipts
  --prune         remove the oldest instead of adding one; a secret ${KEPT_DAYS} days after the last was added
  --force         with --prune: remove it before that, for example because it leaked`,
  positionals: 0,
  options: {
    secret: { type: 'boolean' },
    'signing-key': { type: 'boolean' },
    prune: { type: 'boolean' },
    force: { type: 'boolean' },
  },
  async run({ options, readConfiguration, progress }) {
    const { secret, 'signing-key': signingKey, prune = false, force = false } = options
    if (!secret && !signingKey) throw new UsageError('Choose --secret, --signing-key or both')
    if (force && !prune) throw new UsageError('--force belongs to --prune')
    const change = { prunes: prune === true, isForced: force === true }
    const { dataDir, service } = readConfiguration()
    const { EEP_SECRET: secrets, EEP_SIGNING_KEY: signingKeys } = service
    const rotate = async <Value>(rotated: Rotated<Value>, values: readonly Value[] | undefined) =>
      values ? printed(rotated, values, change) : stored(rotated, dataDir, change)

    const first = secret ? await rotate(SECRETS, secrets) : undefined
    const second = signingKey
      ? await rotate(SIGNING_KEYS, signingKeys).catch((error) => {
          first?.lines.forEach(progress)
          throw error
        })
      : undefined
    return {
      text: [
        ...[first, second].flatMap((outcome) => outcome?.lines ?? []),
        'Running hosts keep the values that they read at their start. Restart them.',
      ].join('\n'),
      json: { ...(first && { secret: first.json }), ...(second && { signing_key: second.json }) },
    }
  },
}
