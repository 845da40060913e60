import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { ArchiveSource } from '../../ports/archive-format.ts'
import { openService } from '../open-service.ts'
import { type Command, CommandError, type CommandInput, type CommandResult, textOf, UsageError } from './command.ts'
import { findAccount } from './find-account.ts'
import { percentageOf } from './percentage.ts'

/** Imports the archive of a profile as a new profile. */
export const importArchive: Command = {
  name: 'import',
  usage: '<file.zip> --account <email> [--dry-run]',
  summary: 'imports the archive of a profile as a new profile of an account',
  help: `Imports the archive of a profile as a new profile of an account, all or nothing, and prints a report. The storage limit of
the account applies. The host may be running.

  --account <email>   the account that owns the new profile
  --dry-run           check everything and store nothing; exits with 1 when the import would fail`,
  positionals: 1,
  options: { account: { type: 'string' }, 'dry-run': { type: 'boolean' } },
  run: readImport,
}

/** The report of an import, as far as it is printed for people. */
interface Report {
  readonly profile: { readonly url: string }
  readonly counts: Readonly<Record<string, number>>
  readonly signed_by: string
  readonly issuer: string
  readonly skipped_count: number
  readonly skipped_items_count: number
  readonly problems: readonly { readonly code: string; readonly message: string }[]
}

async function sourceOf(path: string): Promise<ArchiveSource> {
  const { size } = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${path} cannot be read: ${error.code}`)
  })
  return { size, read: async (start, end) => createReadStream(path, { start, end: end - 1 }) }
}

async function readImport(input: CommandInput): Promise<CommandResult> {
  const { host, options, positionals, readConfiguration, progress } = input
  const [path = ''] = positionals
  const email = textOf(options, 'account')
  if (email === undefined) throw new UsageError('Name the account with --account')
  const dryRun = options['dry-run'] === true
  const source = await sourceOf(path)
  const { eep, storage, close } = await openService(host, readConfiguration())
  try {
    const { id: accountId } = await findAccount(storage, email)
    const target = { accountId, dryRun }
    const report = await eep.archives.importProfile(source, target, { onProgress: percentageOf('Imported', progress) })
    // The service returns the report as JSON; these are its documented members.
    const known = report as unknown as Report
    return { text: textOfReport(known, dryRun), json: report, exitCode: known.problems.length === 0 ? 0 : 1 }
  } finally {
    await close()
  }
}

function textOfReport(report: Report, dryRun: boolean): string {
  const { profile, counts, signed_by: signedBy, issuer, problems } = report
  const skipped = report.skipped_count + report.skipped_items_count
  const parts = Object.entries(counts).map(([what, count]) => `${count} ${what.replaceAll('_', ' ')}`)
  return [
    dryRun ? `${profile.url} would be imported` : `${profile.url} is imported`,
    `From ${issuer}, signed by ${signedBy === 'own' ? 'this service' : `a ${signedBy} service`}`,
    `Contains ${parts.join(', ')}`,
    ...(skipped === 0 ? [] : [`Left out: ${skipped}; --json lists them`]),
    ...problems.map(({ code, message }) => `Problem: ${message} (${code})`),
  ].join('\n')
}
