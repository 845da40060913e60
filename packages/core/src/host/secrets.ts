import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { SigningJwk } from '../kernel/keyring.ts'
import { ConfigurationError } from './configuration-error.ts'
import { jsonOf, listOf } from './variable.ts'

/** Secrets, of which the first is used. */
export const secretSchema = listOf(z.string().min(32, 'is shorter than 32 characters'))

const jwk = z.looseObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  d: z.string(),
  kid: z.string().optional(),
})

const isKeyPair = ({ kty, crv, x, d }: SigningJwk): boolean => {
  try {
    const privateKey = createPrivateKey({ key: { kty, crv, x, d }, format: 'jwk' })
    return createPublicKey(privateKey).export({ format: 'jwk' }).x === x
  } catch {
    return false
  }
}

const NO_KEY = 'is not an Ed25519 private key as JWK'

/** Keys that sign receipts, of which the first is used. */
export const signingKeySchema = jsonOf(
  z.union([jwk.transform((key) => [key]), z.array(jwk).min(1, NO_KEY)], { error: NO_KEY }),
)
  .transform((keys) => keys.map(({ kty, crv, x, d, kid }): SigningJwk => ({ kty, crv, x, d, kid })))
  .refine((keys) => keys.every(isKeyPair), 'has a key whose public part does not belong to its private part')

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

/**
 * Returns the secrets of a data directory, of which the first start generates one.
 *
 * @throws ConfigurationError when the file is invalid
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * const secret = await keptSecret('.data')
 */
export const keptSecret = (dataDir: string): Promise<readonly string[]> => kept(dataDir, SECRET)

/**
 * Returns the keys of a data directory that sign receipts, of which the first start generates one.
 *
 * @throws ConfigurationError when the file is invalid
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * const signingKeys = await keptSigningKeys('.data')
 */
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
