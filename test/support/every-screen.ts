import { randomUUID } from 'node:crypto'
import type { Screen } from '@eep/core/module'
import type { ScreenWorld, TeamRole } from './screen-world.ts'
import { keyOf } from './wallets.ts'

/** A form of a screen as a person fills it in. */
export interface FormCase {
  /** The address with its button. */
  readonly at: string
  /** The entered texts, beside those that the form has. Each text is another than the stored one. */
  readonly fields?: Readonly<Record<string, string | readonly string[]>>
  /** The form with these hidden values, of several with the action. */
  readonly among?: Readonly<Record<string, string>>
  /** The members that have its button. Default: the owner, and below `/admin` an administrator. */
  readonly by?: TeamRole
  /** That no page has its button: a script sends it, with all of its fields. */
  readonly isOfScript?: true
  /** That it sends a file of this name. */
  readonly file?: { readonly input: string; readonly name: 'picture' | 'sound' }
  /** The form that is sent before, and whose answer has this one: one of the same page, with these values. */
  readonly after?: { readonly action: string; readonly fields: Readonly<Record<string, string>> }
  /** Why it is not sent, whether or not an address has its button. */
  readonly unseen?: string
  /** That it only shows something. */
  readonly changesNothing?: true
}

/** The tested parts of a screen. */
export interface ScreenCase {
  /** Addresses at which it has something to show. */
  readonly full: readonly string[]
  /** Its address with nothing to show: of the profile or account without anything. */
  readonly empty: string
  readonly forms: Readonly<Record<string, FormCase>>
}

const DAY_MS = 86_400_000
const IMPORT_PATH = '/manage/profiles/import'

/** The screens of content and files. */
function ofContent(world: ScreenWorld, own: string, blank: string): Readonly<Record<string, ScreenCase>> {
  const { pages, files, blankPage, blankFile } = world
  const content = `${own}/content`
  const file = `${own}/files/${files.picture}`
  const transcript = `${own}/files/${files.talk}/transcript`
  const editor = (page: number) => `${own}/pages/${page}`
  const versions = `${editor(pages.shown)}/versions`
  const later = new Date(Date.now() + DAY_MS).toISOString().slice(0, 16)
  const asked = `${content}?delete=${pages.shown}`
  return {
    content: {
      full: [content, asked],
      empty: `${blank}/content`,
      forms: {
        create: { at: content, fields: { title: 'A new page', category: String(pages.category) } },
        addCategory: { at: content, fields: { name: 'Drawings', parent: String(pages.category) } },
        up: { at: content, among: { page: String(pages.plain) } },
        down: { at: content, among: { page: String(pages.shown) } },
        order: {
          at: content,
          isOfScript: true,
          fields: {
            place: '',
            was: [pages.shown, pages.plain, pages.idea, pages.planned].join(','),
            ids: [pages.plain, pages.shown, pages.idea, pages.planned].join(','),
          },
        },
        publish: { at: content, fields: { page: [String(pages.idea), String(pages.shown)] } },
        archive: { at: content, fields: { page: String(pages.plain) } },
        place: { at: content, fields: { page: String(pages.plain), category: String(pages.category) } },
        archiveOne: { at: asked },
        delete: { at: asked },
      },
    },
    pageEditor: {
      full: [pages.sold, pages.shown, pages.plain, pages.idea, pages.planned].map(editor),
      empty: `${blank}/pages/${blankPage}`,
      forms: {
        save: {
          at: editor(pages.plain),
          fields: { title: 'Mills & more', body: '# Wind\n\n"and" <water>', excerpt: 'Short' },
        },
        preview: {
          at: editor(pages.plain),
          fields: { title: 'Not saved', body: 'Only *looked at*' },
          changesNothing: true,
        },
        publish: { at: editor(pages.idea), fields: { title: 'A better idea', body: 'Said well' } },
        schedule: { at: editor(pages.idea), fields: { title: 'A later idea', publish_at: later } },
        unschedule: { at: editor(pages.planned) },
        place: { at: editor(pages.plain), fields: { slug: 'mills-and-more', category: String(pages.category) } },
        cover: { at: editor(pages.plain), file: { input: 'cover', name: 'picture' } },
        removeCover: { at: editor(pages.plain) },
        unpublish: { at: editor(pages.plain) },
        archive: { at: editor(pages.plain) },
        discard: { at: editor(pages.shown) },
        makeLink: { at: editor(pages.idea) },
        revokeLink: { at: editor(pages.idea) },
        price: { at: editor(pages.plain), fields: { access: 'paid', amount: '7', currency: 'usdc', per: 'month' } },
      },
    },
    pageVersions: {
      full: [versions, `${versions}?version=1`],
      empty: `${blank}/pages/${blankPage}/versions`,
      forms: { restore: { at: `${versions}?version=1` } },
    },
    files: {
      full: [`${own}/files`],
      empty: `${blank}/files`,
      forms: { upload: { at: `${own}/files`, file: { input: 'file', name: 'picture' } } },
    },
    fileDetails: {
      full: [file, `${file}?delete=1`, `${own}/files/${files.talk}`],
      empty: `${blank}/files/${blankFile}`,
      forms: {
        save: { at: file, fields: { filename: 'loom.png', alt: 'A loom, "in" <wood>' } },
        replace: { at: file, file: { input: 'file', name: 'picture' } },
        delete: { at: `${file}?delete=1` },
      },
    },
    fileTranscript: {
      full: [transcript],
      empty: `${blank}/files/${blankFile}/transcript`,
      forms: { make: { at: transcript, fields: { language: 'de' } } },
    },
  }
}

/** The screens of money and trade. */
function ofTrade(world: ScreenWorld, own: string, blank: string): Readonly<Record<string, ScreenCase>> {
  const { deals, service, sales, pages } = world
  const deal = (id: string) => `${own}/deals/${id}`
  const access = `${own}/access`
  const customers = `${own}/customers`
  return {
    access: {
      full: [access, `${access}?tier=reader`, `${access}?new=1`, `${access}?see=content.looms`, `${access}?version=1`],
      empty: `${blank}/access`,
      forms: {
        saveTier: {
          at: `${access}?tier=reader`,
          fields: { label: 'Friends', amount: '4', per: 'year', opens: ['content.notes.*', 'content.looms'] },
        },
        removeTier: { at: `${access}?tier=reader`, fields: { confirm: '1' } },
        restore: { at: `${access}?version=1`, fields: { confirm: '1' } },
      },
    },
    profileSales: {
      full: [`${own}/sales`],
      empty: `${blank}/sales`,
      forms: {
        refund: {
          at: `${own}/sales`,
          among: { receipt: sales.sold },
          fields: { reason: 'By mistake', reference: 'another transfer' },
        },
      },
    },
    customers: {
      full: [customers],
      empty: `${blank}/customers`,
      forms: {
        give: {
          at: customers,
          fields: { to: 'the-guest', tier: 'reader', until: '2031-01-31', reason: 'A gift' },
        },
        take: { at: customers },
      },
    },
    profileServices: {
      full: [`${own}/services`],
      empty: `${blank}/services`,
      forms: {
        create: {
          at: `${own}/services`,
          fields: {
            name: 'Repair',
            category: 'repair',
            description: 'Of looms',
            price: 'once',
            amount: '12',
            currency: 'eur',
          },
        },
      },
    },
    profileService: {
      full: [`${own}/services/${service}`],
      empty: `${own}/services/${service}`,
      forms: {
        save: {
          at: `${own}/services/${service}`,
          fields: { name: 'Two hours of advice', description: 'Said slowly', amount: '101' },
        },
        delete: { at: `${own}/services/${service}` },
      },
    },
    profileDeals: { full: [`${own}/deals`], empty: `${blank}/deals`, forms: {} },
    profileDeal: {
      full: Object.values(deals).map(deal),
      empty: deal(deals.open),
      forms: {
        counter: { at: deal(deals.open), fields: { amount: '95', reason: 'It is hard' } },
        reject: { at: deal(deals.open), fields: { reason: 'No time' } },
        accept: { at: deal(deals.open) },
        expire: { at: deal(deals.asBuyer) },
        invoice: { at: deal(deals.accepted), fields: { invoice_id: 'inv-9', invoice_amount: '91', currency: 'eur' } },
        dispute: { at: deal(deals.paid), fields: { evidence: 'Nothing came' } },
        complete: { at: deal(deals.disputed) },
        receipt: { at: deal(deals.due), fields: { receipt_id: 'slip-77' } },
      },
    },
    analyticsOfProfile: { full: [`${own}/analytics`], empty: `${blank}/analytics`, forms: {} },
    profileExports: {
      full: [`${own}/exports`],
      empty: `${blank}/exports`,
      forms: {
        download: {
          at: `${own}/exports`,
          isOfScript: true,
          fields: { export: randomUUID() },
          unseen: 'no export is ready',
        },
        start: { at: `${own}/exports`, fields: { format: 'json' } },
      },
    },
    webhooksOfProfile: ofWebhooks(world, `${own}/webhooks`, `${blank}/webhooks`),
    profileEdit: {
      full: [`${own}/edit`],
      empty: `${blank}/edit`,
      forms: {
        save: { at: `${own}/edit`, fields: { full_name: 'The "other" Works', bio: 'Mends <looms>\n\nToo.' } },
        upload: { at: `${own}/edit`, among: { which: 'avatar' }, file: { input: 'avatar', name: 'picture' } },
        removePicture: { at: `${own}/edit` },
        show: { at: `${own}/edit`, fields: { visibility: 'unlisted' } },
        rename: { at: `${own}/edit`, fields: { username: `renamed-${pages.sold}` } },
      },
    },
  }
}

function ofWebhooks({ webhooks, hook }: ScreenWorld, at: string, empty: string): ScreenCase {
  const log = `${at}?log=${webhooks.get('owner') ?? ''}`
  return {
    full: [at, log],
    empty,
    forms: {
      create: {
        at,
        fields: { url: hook.url, events: 'content.*', patterns: 'entity.updated' },
      },
      rotate: { at },
      test: { at },
      pause: { at },
      resume: { at },
      redeliver: { at: log },
      cancel: { at },
    },
  }
}

/** The screens of the own account. Other tests send their forms, which change or end the sessions that the walks use. */
function ofOwnAccount(): Readonly<Record<string, ScreenCase>> {
  const shown = (at: string, actions: readonly string[]): ScreenCase => ({
    full: [at],
    empty: at,
    forms: Object.fromEntries(actions.map((action) => [action, { at, unseen: 'it changes the account of the walks' }])),
  })
  return {
    account: shown('/account', ['email', 'language']),
    accountSignIn: shown('/account/sign-in', ['password', 'send', 'unlink', 'prove']),
    accountSessions: shown('/account/sessions', ['end', 'endOthers']),
    accountDelete: shown('/account/delete', ['delete']),
    accountNotifications: {
      full: ['/account/notification-settings'],
      empty: '/account/notification-settings',
      forms: { save: { at: '/account/notification-settings', fields: { email_sale: 'off' } } },
    },
    accountExports: shown('/account/exports', ['start', 'download']),
  }
}

/** The screens of people: the team, the account, and those of administrators. */
function ofPeople(world: ScreenWorld, own: string, blank: string): Readonly<Record<string, ScreenCase>> {
  const { profile, people, sales, report, banned, second, secured, apps } = world
  const ofApp = (id: string) => `/account/connected-apps/${id}`
  const team = `${own}/team`
  const account = (id: string) => `/admin/accounts/${id}`
  const { guest } = sales
  const viewer = people.get('viewer')?.account.id ?? ''
  const unseen = 'no import was checked'
  return {
    profileApps: {
      full: [`${own}/connected-apps`],
      empty: `${blank}/connected-apps`,
      forms: { save: { at: `${own}/connected-apps`, fields: { apps: 'owner_only' } } },
    },
    auditLog: { full: [`${own}/audit-log`], empty: `${blank}/audit-log`, forms: {} },
    profileImport: {
      full: [IMPORT_PATH],
      empty: IMPORT_PATH,
      forms: { check: { at: IMPORT_PATH, unseen: 'no archive is sent' }, start: { at: IMPORT_PATH, unseen } },
    },
    profileImportReport: { full: [], empty: IMPORT_PATH, forms: { start: { at: IMPORT_PATH, unseen } } },
    profileFollowers: { full: [`${own}/followers`], empty: `${blank}/followers`, forms: {} },
    profileFollowing: {
      full: [`${own}/following`],
      empty: `${blank}/following`,
      forms: { unfollow: { at: `${own}/following` } },
    },
    profileTeam: {
      full: [team],
      empty: `${blank}/team`,
      forms: {
        invite: { at: team, fields: { invited: 'the-guest', role: 'admin' } },
        withdraw: { at: team },
        setRole: { at: team, among: { member: viewer }, fields: { role: 'editor' } },
        transfer: { at: team, fields: { recipient: 'the-guest', name: profile.username } },
        remove: { at: team, among: { member: viewer } },
        leave: { at: team, by: 'viewer' },
      },
    },
    newProfile: {
      full: ['/manage/profiles/new', '/manage/profiles/new?type=event'],
      empty: '/manage/profiles/new',
      forms: {
        create: {
          at: '/manage/profiles/new',
          fields: { profile_type: 'product', username: 'a-new-loom', full_name: 'A loom' },
        },
      },
    },
    accountPayouts: {
      full: ['/account/payouts'],
      empty: '/account/payouts',
      forms: {
        message: { at: '/account/payouts', fields: { address: keyOf(3).address }, changesNothing: true },
        link: {
          at: '/account/payouts',
          after: { action: 'message', fields: { address: keyOf(3).address } },
          fields: { signature: '0x0123' },
        },
        choose: { at: '/account/payouts' },
        stop: { at: '/account/payouts' },
        remove: { at: '/account/payouts' },
      },
    },
    accountKeys: {
      full: ['/account/keys'],
      empty: '/account/keys',
      forms: {
        create: {
          at: '/account/keys',
          fields: { name: 'Another key', scope: ['read:profiles', 'write:content'], lifetime: '90' },
        },
        rotate: { at: '/account/keys' },
        revoke: { at: '/account/keys' },
      },
    },
    connectedApps: {
      full: ['/account/connected-apps'],
      empty: '/account/connected-apps',
      forms: { endAll: { at: '/account/connected-apps' } },
    },
    connectedApp: {
      full: [ofApp(apps.owned)],
      empty: ofApp(apps.blank),
      forms: {
        save: {
          at: ofApp(apps.owned),
          fields: { profile: 'all', scope: ['read:content', 'write:content'], limit_purchase: '2', limit_day: '3' },
        },
        end: { at: ofApp(apps.second) },
      },
    },
    adminOverview: { full: ['/admin'], empty: '/admin', forms: {} },
    adminAccounts: { full: ['/admin/accounts'], empty: '/admin/accounts?q=nobody-has-this-name', forms: {} },
    adminAccount: {
      full: [guest, banned, second].map((person) => account(person.account.id)),
      empty: account(world.blankOwner.account.id),
      forms: {
        plan: { at: account(guest.account.id), fields: { plan: 'team' } },
        ban: { at: account(guest.account.id) },
        unban: { at: account(banned.account.id) },
        appoint: { at: account(guest.account.id) },
        dismiss: { at: account(second.account.id) },
        resetFactor: { at: account(secured.account.id) },
      },
    },
    adminModeration: { full: ['/admin/moderation'], empty: '/admin/moderation?status=dismissed', forms: {} },
    adminReport: {
      full: [`/admin/moderation/${report}`],
      empty: `/admin/moderation/${report}`,
      forms: {
        decide: { at: `/admin/moderation/${report}`, fields: { status: 'dismissed', note: 'Not "bad"' } },
      },
    },
    adminPlanPrices: {
      full: ['/admin/plan-prices'],
      empty: '/admin/plan-prices',
      forms: {
        save: {
          at: '/admin/plan-prices',
          among: { plan: 'team' },
          fields: { usd: '91', eur: '92', usdc: '930', trial: '9' },
        },
      },
    },
    adminRefunds: {
      full: ['/admin/refund-claims'],
      empty: '/admin/refund-claims?state=refunded',
      forms: { confirm: { at: '/admin/refund-claims' } },
    },
    adminChanges: { full: ['/admin/changes'], empty: '/admin/changes?target=accounts/none', forms: {} },
  }
}

/**
 * Returns what is tested of each screen that the service declares.
 *
 * @throws when a screen or one of its actions has no case, or a case no screen
 */
export function casesOf(world: ScreenWorld): readonly { readonly screen: Screen; readonly tested: ScreenCase }[] {
  const [own, blank] = [world.profile, world.blank].map(({ id }) => `/manage/profiles/${id}`) as [string, string]
  const cases: Readonly<Record<string, ScreenCase>> = {
    ...ofContent(world, own, blank),
    ...ofTrade(world, own, blank),
    ...ofPeople(world, own, blank),
    ...ofOwnAccount(),
  }
  const named = (screens: readonly string[], tested: readonly string[], what: string) => {
    const missing = screens.filter((name) => !tested.includes(name))
    const unknown = tested.filter((name) => !screens.includes(name))
    if (missing.length + unknown.length > 0) {
      throw new Error(`${what} without a case: [${missing}]; cases of nothing: [${unknown}]`)
    }
  }
  named(
    world.screens.map(({ name }) => name),
    Object.keys(cases),
    'screens',
  )
  return world.screens.map((screen) => {
    const tested = cases[screen.name]
    if (!tested) throw new Error(`The screen "${screen.name}" has no case`)
    named(Object.keys(screen.post ?? {}), Object.keys(tested.forms), `actions of "${screen.name}"`)
    return { screen, tested }
  })
}
