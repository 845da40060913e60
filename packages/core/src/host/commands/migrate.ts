import { databaseOf } from '../make-parts.ts'
import { type Command, CommandError } from './command.ts'

const lines = (word: string, names: readonly string[]) => names.map((name) => `${word}  ${name}`)

/** Applies the migrations that the database lacks. */
export const migrate: Command = {
  name: 'migrate',
  usage: '[--dry-run]',
  summary: 'brings the database to the state that this release needs',
  help: `Applies the migrations that the database lacks, all or none. Of several that run at the same time one does the work.
A host also does this at its start.

  --dry-run   list what would be applied, and change nothing`,
  positionals: 0,
  options: { 'dry-run': { type: 'boolean' } },
  async run({ host, options, readConfiguration }) {
    const isDryRun = options['dry-run'] === true
    const { storage, close } = await databaseOf(host, readConfiguration()).open(isDryRun ? 'untouched' : 'unmigrated')
    try {
      const { schema, pending, changed, refusal } = await storage.status()
      if (refusal) throw new CommandError(refusal)
      if (changed.length > 0) {
        throw new CommandError(`The schema ${schema} has another form of ${changed.join(', ')}; nothing is applied`)
      }
      const json = { schema, dry_run: isDryRun, pending }
      if (isDryRun) {
        const summary = pending.length === 0 ? 'is up to date' : `lacks ${pending.length}`
        return { text: [...lines('missing', pending), `The schema ${schema} ${summary}`].join('\n'), json }
      }
      await storage.migrate()
      const text = [...lines('applied', pending), `The schema ${schema} is up to date`].join('\n')
      return { text, json: { schema, dry_run: false, applied: pending } }
    } finally {
      await close()
    }
  },
}
