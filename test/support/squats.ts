import type { WalletVerifier } from '@eep/core/ports'
import { cashRail, createCashWallets } from '@eep/core/testing'
import type { LightMyRequestResponse } from 'fastify'
import { newName, type Person, signUp } from './accounts.ts'
import { openInstances } from './instances.ts'
import { createMailbox, tokenIn } from './mailbox.ts'
import { openShop } from './shop.ts'

export const CHAIN = 84532
/** A password that no squatter has. */
export const OWNERS_PASSWORD = 'Another staple 8 horse'

/** The account that a squatter registered with the address of another person, and everything it created. */
export interface Squat {
  readonly id: string
  readonly email: string
  readonly squatter: Person
  readonly token: string
  readonly accomplice: Person
  readonly profileId: number
  readonly paidPage: string
}

/** The body of an answer with the expected status. */
export const ok = async (answer: Promise<LightMyRequestResponse>, status = 201) => {
  const { statusCode, body } = await answer
  if (statusCode !== status) throw new Error(`expected ${status}, got ${statusCode}: ${body}`)
  return JSON.parse(body)
}

/** A service with squatted accounts, whose owners take them over with the emails in `mailbox`. */
export async function openSquattedService() {
  const mailbox = createMailbox()
  const cashWallets = createCashWallets()
  const walletVerifier: WalletVerifier = { chainIds: [CHAIN], verify: async ({ signature }) => signature === '0x01' }
  const { database, instance } = await openInstances({
    email: { mailer: mailbox.mailer },
    auth: { walletVerifier },
    payments: { rails: [cashRail({ cashWallets })] },
    // A squatter makes a workspace for several of the accesses that it leaves.
    limits: { plans: { community: { maxWorkspaces: 20 } } },
  })
  const app = await instance()

  async function newSquat(): Promise<Squat> {
    const squatter = await openShop(app, newName())
    const { account, token, profileId, paid: paidPage } = squatter
    const { id, email } = account
    return { id, email, squatter, token, accomplice: await signUp(app), profileId, paidPage }
  }

  /** The token in the email that the squatter caused to be sent to the owner. */
  const verificationToken = async ({ email }: Squat): Promise<string> =>
    tokenIn(await mailbox.take(email, 'verification'))

  return { app, cashWallets, database, instance, mailbox, newSquat, read: database.storage.read, verificationToken }
}
