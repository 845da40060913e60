#!/usr/bin/env node
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { Pool } from 'pg'
import { HELP } from './cli-help.ts'
import { type PostgresStorage, postgresStorage } from './index.ts'

class UsageError extends Error {}

async function main(args: readonly string[]): Promise<number> {
  const { command, url, schema, dryRun } = parse(args)
  if (command === 'help') {
    console.log(HELP)
    return 0
  }
  const pool = new Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 10_000 })
  try {
    const storage = usage(() => postgresStorage({ pool, schema, listen: false }))
    return await (dryRun ? wouldMigrate(storage) : COMMANDS[command](storage))
  } finally {
    await pool.end()
  }
}

function parse(args: readonly string[]) {
  const options = {
    url: { type: 'string' },
    schema: { type: 'string' },
    'dry-run': { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const
  const { values, positionals } = usage(() => parseArgs({ args: [...args], options, allowPositionals: true }))
  const url = values.url ?? process.env.DATABASE_URL
  const [command, ...rest] = values.help ? ['help'] : positionals
  if ((command !== 'help' && !isCommand(command)) || rest.length > 0) {
    const known = Object.keys(COMMANDS).join(', ')
    throw new UsageError(
      command === undefined ? `Expected one of ${known}` : `Unknown command: ${positionals.join(' ')}`,
    )
  }
  if (command !== 'help' && !url) throw new UsageError('Set the database with --url or DATABASE_URL')
  const dryRun = values['dry-run'] ?? false
  if (dryRun && command !== 'migrate') throw new UsageError('--dry-run belongs to migrate')
  return { command, url, schema: values.schema, dryRun } as const
}

async function migrate(storage: PostgresStorage) {
  const { schema, pending } = await storage.status()
  await storage.migrate()
  for (const name of pending) console.log(`applied  ${name}`)
  console.log(`The schema ${schema} is up to date`)
  return 0
}

/** Fails where `migrate` would, without changing anything. */
async function wouldMigrate(storage: PostgresStorage) {
  const { schema, pending, changed, refusal } = await storage.status()
  if (refusal) throw new Error(refusal)
  for (const name of changed) console.log(`changed  ${name}  (applied in another form, so nothing would be applied)`)
  for (const name of pending) console.log(`missing  ${name}`)
  if (changed.length > 0) return 1
  console.log(
    pending.length === 0 ? `The schema ${schema} is up to date` : `${pending.length} would be applied to ${schema}`,
  )
  return 0
}

async function status(storage: PostgresStorage) {
  const { schema, applied, pending, unknown, changed, refusal } = await storage.status()
  if (refusal) throw new Error(refusal)
  for (const { name, at } of applied) {
    const note = changed.includes(name) ? '  (in another form)' : unknown.includes(name) ? '  (of a newer release)' : ''
    console.log(`applied  ${name}  ${at.toISOString()}${note}`)
  }
  for (const name of pending) console.log(`missing  ${name}`)
  const upToDate = pending.length === 0 && changed.length === 0
  console.log(`The schema ${schema} is ${upToDate ? '' : 'not '}up to date`)
  return upToDate ? 0 : 1
}

/** The service rebuilds the index when it reads this event. */
async function reindex(storage: PostgresStorage) {
  await storage.ping()
  const event = { id: randomUUID(), type: 'search.reindex_requested', profileId: null, accountId: null, data: {} }
  await storage.transaction((tx) => tx.events.append([{ ...event, at: new Date() }]))
  console.log('Rebuild requested; a running service will perform it')
  return 0
}

const COMMANDS = { migrate, status, reindex } as const
const isCommand = (name: string | undefined): name is keyof typeof COMMANDS =>
  name !== undefined && Object.hasOwn(COMMANDS, name)

function usage<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const wrongUsage = error instanceof UsageError
  console.error(wrongUsage ? `${error.message}\n\n${HELP}` : `eep-postgres: ${describe(error)}`)
  process.exitCode = wrongUsage ? 2 : 1
}

/** A refused connection to a host with several addresses is an error without a message. */
function describe(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return error.errors.map(describe).join('; ')
  return error instanceof Error ? error.message : String(error)
}
