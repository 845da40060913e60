// The table of emails, made from their definitions in the modules.
import { everyModule } from '../packages/core/src/testing/every-module.ts'
import { membersOf } from './events.ts'

/** A table with a row for each kind of email, in the order of the modules. */
export function emailTable(): string {
  const rows = everyModule.flatMap(({ emails }) =>
    emails.map((email) => `| \`${email.kind}\` | ${email.summary} | ${membersOf(email)} |`),
  )
  return ['| kind | sent when | data |', '|---|---|---|', ...rows].join('\n')
}
