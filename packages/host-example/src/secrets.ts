import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SigningJwk } from '@eep/core'
import { ConfigurationError } from './config.ts'
import { secretSchema, signingKeySchema } from './variables.ts'

/** What the first start generates and stores in the data directory. The first value is used; the others are former ones. */
export interface KeptFile<Value> {
  readonly name: string
  readonly schema: Schema<readonly Value[]>
  make(): Value
  /** The text of the file, which is also a value of the variable. */
  format(values: readonly Value[]): string
}

interface Schema<Value> {
  safeParse(text: string): { data?: Value; error?: { issues: readonly { message: string }[] } | undefined }
}

/** Sessions, cookies and stored responses are protected by it. */
export const SECRET: KeptFile<string> = {
  name: 'secret',
  schema: secretSchema,
  make: () => randomBytes(48).toString('base64'),
  format: (secrets) => secrets.join(','),
}

/** Signs receipts. */
export const SIGNING_KEY: KeptFile<SigningJwk> = {
  name: 'signing-key.json',
  schema: signingKeySchema,
  make: () => generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as SigningJwk,
  format: (keys) => JSON.stringify(keys),
}

/** Returns the secrets of this installation, of which the first start generates one. */
export const keptSecret = (dataDir: string): Promise<readonly string[]> => kept(dataDir, SECRET)

/** Returns the keys that sign receipts, of which the first start generates one. */
export const keptSigningKeys = (dataDir: string): Promise<readonly SigningJwk[]> => kept(dataDir, SIGNING_KEY)

async function kept<Value>(dataDir: string, file: KeptFile<Value>): Promise<readonly Value[]> {
  return (await readKept(dataDir, file)) ?? parse(dataDir, file, await create(dataDir, file))
}

/**
 * Returns the values of a file; undefined when it does not exist.
 *
 * @throws ConfigurationError when its content is invalid
 */
export async function readKept<Value>(dataDir: string, file: KeptFile<Value>): Promise<readonly Value[] | undefined> {
  const text = await readFile(join(dataDir, file.name), 'utf8').catch(unlessMissing)
  return text === undefined ? undefined : parse(dataDir, file, text)
}

function parse<Value>(dataDir: string, { name, schema }: KeptFile<Value>, text: string): readonly Value[] {
  const { data, error } = schema.safeParse(text.trim())
  if (data === undefined) {
    const problem = `${join(dataDir, name)} ${error?.issues[0]?.message}`
    throw new ConfigurationError([`${problem}; restore it, or remove it for a new one`])
  }
  return data
}

/** Writes a file atomically, readable only by its owner. Of two concurrent calls one wins, and both return its content. */
async function create<Value>(dataDir: string, { name, make, format }: KeptFile<Value>): Promise<string> {
  const path = join(dataDir, name)
  const draft = `${path}.${randomUUID()}`
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${format([make()])}\n`)
    await file.sync()
    await link(draft, path).catch(unlessTaken)
  } finally {
    await file.close()
    await rm(draft, { force: true })
  }
  return readFile(path, 'utf8')
}

const unless = (code: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== code) throw error
  return undefined
}
const unlessMissing = unless('ENOENT')
const unlessTaken = unless('EEXIST')
