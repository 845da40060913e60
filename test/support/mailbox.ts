import type { Mail, Mailer } from '@eep/core/ports'
import { vi } from 'vitest'

/** Kinds of emails, by subject. */
const ABOUT = {
  verification: /^Confirm your email address/,
  reset: /^A new password/,
  takenOver: /^Choose a password/,
  code: /^Your code/,
  deletion: /will be deleted$/,
  changed: /^Your password .* was changed$/,
  newAddress: /^Confirm your new email address/,
  addressChanged: /^The email address of your account .* was changed$/,
  addressRestored: /^Your email address .* is restored/,
  secondFactorOn: /^Two-factor authentication is on/,
  secondFactorOff: /^Two-factor authentication is off/,
  secondFactorFailed: /^Wrong codes were entered/,
  recoveryCode: /^A recovery code was used/,
  passkeyAdded: /^A passkey was added/,
  passkeyDeleted: /^A passkey was deleted/,
  providerLinked: /^A sign-in provider was linked/,
  providerUnlinked: /^A sign-in provider was unlinked/,
  walletLinked: /^A wallet was linked/,
  payoutChanged: /^The payout wallet/,
  payoutsRestored: /^Your payout wallets .* are restored/,
  apiKey: /^An API key was created/,
  invitation: /^Join the (team of|workspace)/,
  offer: /offers you the profile/,
  offered: /^You offered the profile/,
  transferred: /was transferred to|^You are now the owner of the profile/,
  kept: /(rejected|cancelled) the transfer of the profile/,
  yearEnds: /^Your year of/,
  recovery: /^What you bought at/,
  paused: /^One of your webhooks was paused$/,
} as const

export type About = keyof typeof ABOUT

/** A mailer that keeps the emails for tests. */
export function createMailbox() {
  const mails: Mail[] = []
  const mailer: Mailer = {
    async send(mail) {
      mails.push(mail)
    },
    async forget(address) {
      for (let index = mails.length - 1; index >= 0; index--) if (mails[index]?.to === address) mails.splice(index, 1)
    },
  }
  const find = (to: string, about: About) =>
    mails.findIndex((mail) => mail.to === to && ABOUT[about].test(mail.subject))

  return {
    mailer,
    mails,
    /** Waits for the oldest email to an address about a subject, and removes it. */
    async take(to: string, about: About): Promise<Mail> {
      const index = await vi.waitFor(() => {
        const found = find(to, about)
        if (found < 0) throw new Error(`no email to ${to} about ${about}`)
        return found
      }, 60_000)
      const [mail] = mails.splice(index, 1)
      return mail as Mail
    },
    /** Whether there is an email to an address about a subject already. */
    hasNow: (to: string, about: About) => find(to, about) >= 0,
    /** Whether there is an email to an address about a subject, once all requested emails are sent. */
    async has(to: string, about: About): Promise<boolean> {
      await new Promise((resolve) => setTimeout(resolve, 500))
      return find(to, about) >= 0
    },
  }
}

export type Mailbox = ReturnType<typeof createMailbox>

const inside = (pattern: RegExp) => (mail: Pick<Mail, 'text'>) => {
  const found = pattern.exec(mail.text)?.[1]
  if (found === undefined) throw new Error(`nothing like ${pattern} in: ${mail.text}`)
  return found
}

/** The token of the link in a mail. */
export const tokenIn = inside(/[?&]token=([\w-]{43})\b/)

/** The code in a mail. */
export const codeIn = inside(/^(\d{6})$/m)

/** The link of an email that recovers purchases. */
export const recoveryLinkIn = inside(/(https?:\/\/\S+\/eep\/payment\/recovery\/[\w-]{43})\b/)
