import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assertInstalled } from '../../kernel/assert-installed.ts'
import { sha256 } from '../../kernel/digest.ts'
import { foldAddress } from '../../kernel/email-address.ts'
import type { Mailer } from '../../ports/mailer.ts'
import { messageOf } from '../mime.ts'

/** Options of {@link directoryMailer}. */
export interface DirectoryMailerOptions {
  /** Created if it does not exist. */
  readonly directory: string
  /** The sender: `Profiles <no-reply@example.com>`. */
  readonly from?: string | undefined
}

const recipientOf = (address: string) => sha256(foldAddress(address)).slice(0, 24)

/**
 * Writes each email to a separate file (`.eml`), named by time so that the newest sorts last, readable by its owner
 * only. For development, and for tests that read emails.
 *
 * @throws when `nodemailer` is not installed
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/accounts.md
 * @example
 * await app.register(eep, { ...options, email: { mailer: directoryMailer({ directory: '.data/mail' }) } })
 */
export function directoryMailer({ directory, from = 'no-reply@localhost' }: DirectoryMailerOptions): Mailer {
  assertInstalled('nodemailer')
  return {
    async send(mail) {
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
      const { message } = await transport.sendMail(messageOf(mail, from))
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
      const path = join(directory, `${time}-${recipientOf(mail.to)}-${randomUUID()}.eml`)
      await writeFile(`${path}.part`, message as Buffer, { mode: 0o600, flag: 'wx' })
      await rename(`${path}.part`, path)
    },

    async forget(address) {
      const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      const theirs = names.filter((name) => name.includes(`-${recipientOf(address)}-`))
      await Promise.all(theirs.map((name) => rm(join(directory, name), { force: true })))
    },
  }
}
