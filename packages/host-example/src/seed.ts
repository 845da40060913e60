import { randomBytes } from 'node:crypto'
import type { Eep } from '@eep/core'
import { LOG_START, type Storage } from '@eep/core/ports'
import { BULLETINS, DEMO_PROFILE, GATED_PAGE, GATES, GUIDES, OPEN_PAGE } from './seed-content.ts'

const USERNAME = 'demo'

/** The email address of the owner of the demo. */
export const DEMO_OWNER = 'demo@example.com'

/** The paths of the demo. */
export const DEMO_PATHS = {
  profile: `/o/${USERNAME}`,
  open: `/o/${USERNAME}/content/guides/${OPEN_PAGE.slug}`,
  gated: `/o/${USERNAME}/content/bulletins/${GATED_PAGE.slug}`,
}

/** Fills an empty database with a demo: a profile, an open page, and a page that costs a cent. */
export async function seedDemo(eep: Eep, storage: Storage): Promise<void> {
  if ((await storage.read.events.head()) !== LOG_START) return

  // The password is discarded: the owner signs in after a password reset.
  const password = `Aa1${randomBytes(24).toString('base64url')}`
  const { token } = await eep.accounts.register({
    email: DEMO_OWNER,
    password,
    username: USERNAME,
    fullName: `${DEMO_PROFILE.fullName}, the people`,
  })
  const owner = await eep.accounts.authenticate(token)
  const profile = await eep.profiles.create({ type: 'organization', username: USERNAME, ...DEMO_PROFILE }, owner)

  const addPage = async (category: typeof GUIDES, page: typeof OPEN_PAGE) => {
    const place = { profileId: profile.id, parentId: null, icon: null, visibility: 'public' as const }
    const { category: made } = await eep.content.categories.create({ ...place, ...category }, owner)
    await eep.content.pages.create(
      { ...page, profileId: profile.id, categoryId: made.id, position: 0, status: 'published' },
      owner,
    )
  }
  await addPage(GUIDES, OPEN_PAGE)
  // The gate is created before the page, so that the page is never open.
  await eep.gates.putConfig(eep.profiles.didOf(profile), GATES, owner)
  await addPage(BULLETINS, GATED_PAGE)
}

/** Returns three requests to try. Empty when the demo was removed. */
export async function thingsToTry(eep: Eep, url: string, paid: boolean): Promise<string | undefined> {
  const demo = await eep.profiles.find('organization', USERNAME).catch(() => undefined)
  if (!demo) return undefined
  const { profile, open, gated } = DEMO_PATHS
  return `
Try it:
  curl ${url}${profile}
  curl ${url}${open}
  curl -i ${url}${gated}

${paid ? 'The third returns 402 with the price and how to pay.' : 'The third returns 402 without an offer, because no payment method is configured: set the X402_… or STRIPE_… variables of .env.example.'}
`
}
