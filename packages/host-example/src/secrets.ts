import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SigningJwk } from '@eep/core'
import { ConfigurationError } from './config.ts'
import { secretSchema, signingKeySchema } from './variables.ts'

/** Returns the secret of this installation, which the first start stores in the data directory. */
export const keptSecret = (dataDir: string): Promise<readonly string[]> =>
  kept(join(dataDir, 'secret'), secretSchema, () => randomBytes(48).toString('base64'))

/** Returns the key that signs receipts, which the first start stores in the data directory. */
export const keptSigningKeys = (dataDir: string): Promise<readonly SigningJwk[]> =>
  kept(join(dataDir, 'signing-key.json'), signingKeySchema, () =>
    JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })),
  )

interface Schema<Value> {
  safeParse(text: string): { data?: Value; error?: { issues: readonly { message: string }[] } | undefined }
}

async function kept<Value>(path: string, schema: Schema<Value>, make: () => string): Promise<Value> {
  const text = (await readFile(path, 'utf8').catch(unlessMissing)) ?? (await create(path, make()))
  const { data, error } = schema.safeParse(text.trim())
  if (data === undefined)
    throw new ConfigurationError([`${path} ${error?.issues[0]?.message}; restore it, or remove it for a new one`])
  return data
}

/** Writes a file atomically, readable only by its owner. Of two concurrent calls one wins, and both return its content. */
async function create(path: string, text: string): Promise<string> {
  const draft = `${path}.${randomUUID()}`
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${text}\n`)
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
