import { randomBytes } from 'node:crypto'
import type { Eep } from '@eep/core'
import type {} from '@eep/core/feed'
import type { DemoFetch } from '@eep/core/host'
import { LOG_START, type Storage } from '@eep/core/ports'
import {
  BULLETINS,
  CLOUD_PAGE,
  CREW,
  CREW_PAGE,
  DEMO_PROFILE,
  GATED_PAGE,
  GATES,
  GUIDES,
  OPEN_PAGE,
  POSTS,
  WEEKEND_PAGE,
} from './seed-content.ts'
import { drawPicture } from './seed-pictures.ts'
import { type DemoCategory, type DemoProfile, type DemoTicket, demoProfiles } from './seed-profiles.ts'

const USERNAME = 'demo'

/** The email address of the owner of the demo. */
export const DEMO_OWNER = 'demo@example.com'

/** The paths of the demo. */
export const DEMO_PATHS = {
  profile: `/o/${USERNAME}`,
  open: `/o/${USERNAME}/content/guides/${OPEN_PAGE.slug}`,
  gated: `/o/${USERNAME}/content/bulletins/${GATED_PAGE.slug}`,
}

/** The person of the account. */
const PERSON = {
  username: 'marta',
  fullName: 'Marta Lindqvist',
  bio: 'Forecaster at the harbour since 1987. I write the outlook at five in the morning, and I answer letters.',
  skills: ['forecasting', 'seamanship'],
  keywords: ['weather', 'harbour'],
  typeData: {
    headline: 'Forecaster, and keeper of Barometer No. 7',
    location: 'Skagen, Denmark',
    languages: ['en', 'da', 'sv'],
    availability: 'before noon',
  },
}

type Caller = Awaited<ReturnType<Eep['accounts']['authenticate']>>
type Profile = Awaited<ReturnType<Eep['profiles']['create']>>
type FilePart = readonly [name: string, content: Uint8Array | string]

/** What the steps of the demo work with: the service, and its owner. */
interface Setting {
  readonly eep: Eep
  readonly fetch: DemoFetch
  readonly owner: Caller
  readonly token: string
}

interface UploadedFile {
  readonly id: number
  readonly url: string
}

/** Uploads files to a profile, and returns them. None when the service takes no files, or too many of them. */
async function upload(
  { fetch, token }: Setting,
  { type, username }: Profile,
  files: readonly FilePart[],
): Promise<readonly UploadedFile[]> {
  const form = new FormData()
  form.set('username', username)
  form.set('profile_type', type)
  for (const [name, content] of files)
    form.append('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name)
  const answer = await fetch('/files', { method: 'POST', body: form, headers: { authorization: `Bearer ${token}` } })
  if (!answer.ok) return []
  const sent = (await answer.json()) as UploadedFile & { readonly files?: readonly UploadedFile[] }
  // A single file comes without a list.
  return sent.files ?? [sent]
}

/** Gives a profile its picture, and uploads a further file. Returns the id of that file. */
async function addFiles(setting: Setting, profile: Profile, file?: FilePart): Promise<number | undefined> {
  const { eep, owner } = setting
  const picture = await drawPicture(profile.type)
  const parts: FilePart[] = [...(picture ? [['picture.webp', picture] as const] : []), ...(file ? [file] : [])]
  if (parts.length === 0) return undefined
  const stored = await upload(setting, profile, parts)
  const shown = picture ? stored[0] : undefined
  if (shown) await eep.profiles.update(profile.type, profile.username, { avatarUrl: shown.url }, owner)
  return file ? stored[parts.length - 1]?.id : undefined
}

/** Creates a category with published pages. */
async function addCategory(
  { eep, owner }: Setting,
  { id: profileId }: Profile,
  { name, description, pages }: DemoCategory,
): Promise<void> {
  const place = { profileId, parentId: null, icon: null, visibility: 'public' as const }
  const { category } = await eep.content.categories.create({ ...place, name, description }, owner)
  for (const [position, page] of pages.entries()) {
    await eep.content.pages.create(
      { ...page, profileId, categoryId: category.id, position, status: 'published' },
      owner,
    )
  }
}

type GateConfig = Parameters<Eep['gates']['putConfig']>[1]

/** Stores a gate, without the tiers that no payment method of the host takes: a wallet takes no euros, and a card no cents. */
async function putGate({ eep, owner }: Setting, profile: Profile, config: GateConfig): Promise<void> {
  const did = eep.profiles.didOf(profile)
  const isPaidIn = (currency: string) => (tier: GateConfig['tiers'][string]) =>
    tier.requirements.every((each) => each.type !== 'payment' || each.currency === currency)
  const only = (currency: string): GateConfig => ({
    ...config,
    tiers: Object.fromEntries(Object.entries(config.tiers).filter(([, tier]) => isPaidIn(currency)(tier))),
  })
  for (const one of [config, only('usdc'), only('eur')]) {
    const isStored = await eep.gates.putConfig(did, one, owner).then(
      () => true,
      (error: { readonly code?: string }) => {
        if (error.code === 'price_not_payable') return false
        throw error
      },
    )
    if (isStored) return
  }
}

/** The gate of a profile that sells tickets or a file. Its other categories and files are free. */
function gateOf({ tickets = [], categories = [] }: DemoProfile, fileId: number | undefined): GateConfig {
  const opened = ({ opens }: DemoTicket) =>
    opens.flatMap((name) => (name !== 'file' ? [name] : fileId === undefined ? [] : [`files.f${fileId}`]))
  const sold = new Set(tickets.flatMap(opened))
  const free = categories.map(({ name }) => `content.${name.toLowerCase()}.*`).filter((pattern) => !sold.has(pattern))
  const tiers = tickets.flatMap((ticket) => {
    const { tier, label, description, amount, currency } = ticket
    const requirements = [{ type: 'payment' as const, amount, currency, per: 'once' as const }]
    const access = opened(ticket)
    return access.length === 0 ? [] : [[tier, { label, description, requirements, access }] as const]
  })
  return {
    default_tier: 'free',
    tiers: {
      free: { label: 'Free', requirements: [], access: ['profile.*', 'files.*', ...free] },
      ...Object.fromEntries(tiers),
    },
  }
}

async function addProfile(setting: Setting, demo: DemoProfile): Promise<Profile> {
  const { eep, owner } = setting
  const { type, username, fullName, bio, keywords, typeData } = demo
  const profile = await eep.profiles.create(
    { type, username, fullName, bio, keywords, typeData: typeData as Profile['typeData'] },
    owner,
  )
  const fileId = await addFiles(setting, profile, demo.file && [demo.file.name, demo.file.content])
  // The gate is created before the pages, so that none of them is ever open.
  if (demo.tickets) await putGate(setting, profile, gateOf(demo, fileId))
  for (const category of demo.categories ?? []) await addCategory(setting, profile, category)
  return profile
}

/** The organization, which sells bulletins. */
async function addDesk(setting: Setting): Promise<Profile> {
  const { eep, owner } = setting
  const desk = await eep.profiles.create({ type: 'organization', username: USERNAME, ...DEMO_PROFILE }, owner)
  await addFiles(setting, desk)
  await addCategory(setting, desk, { ...GUIDES, pages: [OPEN_PAGE, CLOUD_PAGE] })
  await putGate(setting, desk, GATES)
  await addCategory(setting, desk, { ...BULLETINS, pages: [GATED_PAGE, WEEKEND_PAGE] })
  await addCategory(setting, desk, { ...CREW, pages: [CREW_PAGE] })
  return desk
}

/** Registers the owner, whose address counts as verified, because the demo has no reader of emails. */
async function addOwner(eep: Eep, storage: Storage): Promise<{ readonly owner: Caller; readonly token: string }> {
  const { username, fullName, ...person } = PERSON
  // The password is discarded: the owner signs in after a password reset.
  const password = `Aa1${randomBytes(24).toString('base64url')}`
  const { token, account } = await eep.accounts.register({ email: DEMO_OWNER, password, username, fullName })
  await storage.transaction((tx) => tx.accounts.save(account.id, { emailVerified: true, emailOwned: true }))
  const owner = await eep.accounts.authenticate(token)
  await eep.profiles.update('person', username, person, owner)
  return { owner, token }
}

/** Fills an empty database with a demo: a small organization, and a profile of every other type around it. */
export async function seedDemo(eep: Eep, storage: Storage, fetch: DemoFetch): Promise<void> {
  if ((await storage.read.events.head()) !== LOG_START) return
  const setting: Setting = { eep, fetch, ...(await addOwner(eep, storage)) }
  const { owner } = setting
  const desk = await addDesk(setting)
  await addFiles(setting, await eep.profiles.find('person', PERSON.username, owner))
  for (const demo of demoProfiles(new Date())) await addProfile(setting, demo)
  for (const body of POSTS) await eep.feed.post({ body }, { caller: owner, activeProfileId: desk.id })
}

/** Returns three requests to try. Undefined when the demo was removed. */
export async function thingsToTry(eep: Eep, url: string, paid: boolean): Promise<string | undefined> {
  const demo = await eep.profiles.find('organization', USERNAME).catch(() => undefined)
  if (!demo) return undefined
  const { profile, open, gated } = DEMO_PATHS
  return `
Try it:
  curl ${url}${profile}
  curl ${url}${open}
  curl -i ${url}${gated}

${paid ? 'The third returns 402 with the price and how to pay.' : 'The third returns 402 without an offer, because no payment method is configured: set EEP_SANDBOX=on, or the X402_… or STRIPE_… variables of .env.example.'}
`
}
