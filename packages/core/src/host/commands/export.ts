import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, open, rm } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { TYPE_BY_PREFIX } from '../../model/profile-type.ts'
import type { Storage } from '../../ports/storage/storage.ts'
import { openService } from '../open-service.ts'
import { type Command, CommandError, type CommandInput, type CommandResult, textOf, UsageError } from './command.ts'
import { findAccount } from './find-account.ts'
import { percentageOf } from './percentage.ts'

/** Writes the archive of a profile or an account to a file. */
export const exportArchive: Command = {
  name: 'export',
  usage: '(<profile> | --account <email>) --output <file.zip>',
  summary: 'writes the archive of a profile or an account to a file',
  help: `Writes the archive of a profile to a file: its fields, pages with all versions, and files. A profile is named like in its
address: u/ada. With --account it is the archive of an account, which cannot be imported. The file is readable only by its owner, and
must not exist. The host may be running.

  --account <email>   the archive of an account: its personal data, and the profiles that it owns
  --output <file>     where to write it`,
  positionals: 'optional',
  options: { account: { type: 'string' }, output: { type: 'string' } },
  run: writeExport,
}

type Subject = { readonly profileId: number } | { readonly accountId: string }

async function findProfile({ read }: Storage, name: string): Promise<Subject> {
  const [prefix = '', username = '', ...more] = name.replace(/^\//, '').split('/')
  if (!Object.hasOwn(TYPE_BY_PREFIX, prefix) || username === '' || more.length > 0) {
    throw new UsageError(`"${name}" is not the name of a profile: u/ada`)
  }
  const type = TYPE_BY_PREFIX[prefix as keyof typeof TYPE_BY_PREFIX]
  const profile = await read.profiles.get({ type, username })
  if (!profile) throw new CommandError(`No profile is named ${prefix}/${username}`)
  return { profileId: profile.id }
}

async function writeExport(input: CommandInput): Promise<CommandResult> {
  const { host, options, positionals, readConfiguration, progress } = input
  const [name] = positionals
  const email = textOf(options, 'account')
  const path = textOf(options, 'output')
  if (path === undefined) throw new UsageError('Name the file with --output')
  if ((name === undefined) === (email === undefined))
    throw new UsageError('Name a profile, or an account with --account')
  if (existsSync(path)) throw new CommandError(`${path} already exists`)
  const { eep, storage, close } = await openService(host, readConfiguration())
  try {
    const subject: Subject =
      email === undefined
        ? await findProfile(storage, name ?? '')
        : { accountId: (await findAccount(storage, email)).id }
    const stopping = new AbortController()
    const bytes = await eep.archives.openExport(subject, {
      signal: stopping.signal,
      onProgress: percentageOf('Exported', progress),
    })
    const { size, sha256 } = await writeNew(path, bytes).catch((error) => {
      stopping.abort(error)
      bytes.destroy()
      throw error
    })
    return { text: `${path} has ${size} bytes, SHA-256 ${sha256}`, json: { file: path, size, sha256 } }
  } finally {
    await close()
  }
}

const isTaken = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EEXIST'

/** Writes a new file, readable only by its owner. It has its name only once it is complete. */
async function writeNew(path: string, bytes: NodeJS.ReadableStream) {
  const draft = `${path}.part`
  const hash = createHash('sha256')
  let size = 0
  const count = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      hash.update(chunk)
      size += chunk.length
      next(null, chunk)
    },
  })
  const file = await open(draft, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(
      isTaken(error)
        ? `${draft} exists; remove it if no export is running`
        : `${draft} cannot be written: ${error.code}`,
    )
  })
  try {
    await pipeline(bytes, count, file.createWriteStream({ flush: true }))
    // A link, unlike a rename, does not replace a file that exists.
    await link(draft, path)
  } catch (error) {
    throw isTaken(error) ? new CommandError(`${path} already exists`) : error
  } finally {
    await file.close().catch(() => {})
    await rm(draft, { force: true })
  }
  return { size, sha256: hash.digest('hex') }
}
