import { defineModule } from '../../../framework/module/define-module.ts'
import { scriptRoute } from '../../../http/html/script.routes.ts'
import type { PaymentRail } from '../../../ports/payment-rail.ts'
import type { OptionalGroup } from '../../../ports/storage/storage.ts'
import { gates } from '../../access/gates/token.ts'
import { paywall } from '../../access/paywall/token.ts'
import { receipts } from '../../access/receipts/token.ts'
import { accounts } from '../../people/accounts/token.ts'
import { apiKeys } from '../../people/api-keys/token.ts'
import { oauth } from '../../people/oauth/token.ts'
import { passkeys } from '../../people/passkeys/token.ts'
import { teams } from '../../people/teams/token.ts'
import { wallets } from '../../people/wallets/token.ts'
import { connections } from '../../profiles/connections/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { content } from '../../publishing/content/token.ts'
import { files } from '../../publishing/files/token.ts'
import { createAskAgain } from '../account-pages/index.ts'
import { deletedPageRoutes } from './account/deleted-page.routes.ts'
import { EDITOR_SCRIPT } from './content/editor-island.ts'
import { createPricePanel } from './content/price-panel.ts'
import { REORDER_SCRIPT } from './content/reorder-island.ts'
import { createOverview } from './dashboard/overview.ts'
import { overviewAction } from './dashboard/overview-html.ts'
import { editLinks } from './edit-links-html.ts'
import { createKeptForms } from './kept-form.ts'
import { LIVE_SCRIPT } from './sales/live-island.ts'
import { screenRoutes } from './screen-routes.ts'
import { accessScreen } from './screens/access.ts'
import { accountScreen } from './screens/account.ts'
import { apiKeysScreen } from './screens/api-keys.ts'
import { connectionScreens } from './screens/connections.ts'
import { contentScreen } from './screens/content.ts'
import { customersScreen } from './screens/customers.ts'
import { deleteAccountScreen } from './screens/delete-account.ts'
import { editProfileScreen } from './screens/edit-profile.ts'
import { newProfileScreen } from './screens/new-profile.ts'
import { pageEditorScreen } from './screens/page-editor.ts'
import { pageVersionsScreen } from './screens/page-versions.ts'
import { payoutsScreen } from './screens/payouts.ts'
import { type SalesScreen, salesScreen } from './screens/sales.ts'
import { sessionsScreen } from './screens/sessions.ts'
import { signInScreen } from './screens/sign-in.ts'
import { teamScreen } from './screens/team.ts'

/** What the screen of sales needs to know about rails. */
const railsOf = (rails: readonly PaymentRail[]): Pick<SalesScreen, 'decimalsOf' | 'sendsRefunds'> => ({
  decimalsOf(id, currency) {
    const accepts = rails.find((rail) => rail.id === id)?.info?.accepts ?? []
    return accepts.find(({ limits }) => limits?.[currency])?.limits?.[currency]?.decimals
  },
  sendsRefunds: (id) => rails.find((rail) => rail.id === id)?.refund !== undefined,
})

/** Returns the decimals of a currency on a network. */
const decimalsOn = (rails: readonly PaymentRail[]) => (network: string, currency: string) =>
  rails
    .flatMap(({ info }) => info?.accepts ?? [])
    .find((accepted) => accepted.network === network && accepted.limits?.[currency])?.limits?.[currency]?.decimals

/** Pages on which owners do everything that the API can. */
export const ownerConsole = defineModule({
  name: 'owner-console',
  requires: [profiles, accounts, content, gates, paywall],
  uses: [files, teams, receipts, wallets, passkeys, apiKeys, oauth, connections],
  screens(services, { settings, clock, scopes, scopeDefinitions, planLimits, identityProviders, eventTypePrefix }) {
    const { profiles, accounts, content, gates, paywall, files, teams, sales, entitlements, apiKeys, wallets } =
      services
    const { payouts, passkeys, identities, connections } = services
    const apps = accounts.appsOfSessions()
    const hasSignIn = settings.auth.hostAuth === undefined
    const storedFiles = files?.isEnabled ? files : undefined
    const stores = (group: OptionalGroup) => settings.storage.groups.includes(group)
    const [hasDrafts, hasVersions] = [stores('pageDrafts'), stores('pageVersions')]
    return [
      newProfileScreen({ profiles }),
      editProfileScreen({ profiles, files: storedFiles, typeData: settings.profiles.typeData }),
      contentScreen({ content, gates, hasOrder: stores('ordering'), hasVersions }),
      pageEditorScreen({
        content,
        profiles,
        files: storedFiles,
        hasDrafts,
        hasVersions,
        prices: createPricePanel({ gates, pages: content.pages }),
      }),
      ...(hasVersions ? [pageVersionsScreen(content)] : []),
      accessScreen({ content, gates, paywall, files: storedFiles, hasHistory: stores('gateVersions') }),
      ...(sales && stores('sales')
        ? [salesScreen({ sales, eventTypePrefix, ...railsOf(settings.payments.rails) })]
        : []),
      ...(sales && entitlements && stores('sales')
        ? [
            customersScreen({
              sales,
              entitlements,
              gates,
              content,
              files: storedFiles,
              decimalsOn: decimalsOn(settings.payments.rails),
            }),
          ]
        : []),
      ...(connections ? connectionScreens({ connections }) : []),
      ...(teams ? [teamScreen({ teams })] : []),
      ...(wallets && payouts
        ? [
            payoutsScreen({
              wallets,
              payouts,
              rails: settings.payments.rails,
              chainIds: settings.auth.walletVerifier?.chainIds ?? [],
              clock,
              commissionOf: (plan) => planLimits(plan).commissionBps,
            }),
          ]
        : []),
      ...(apiKeys
        ? [
            apiKeysScreen({
              apiKeys,
              accounts,
              clock,
              scopes: scopes.flatMap((name) => scopeDefinitions.get(name) ?? []),
            }),
          ]
        : []),
      accountScreen({ accounts, languages: settings.pages.languages, hasSignIn }),
      ...(hasSignIn
        ? [
            signInScreen({
              accounts,
              passkeys: passkeys?.worksOnPages ? passkeys : undefined,
              identities,
              providers: identityProviders,
              clock,
              apps,
            }),
            sessionsScreen({ accounts, apps }),
          ]
        : []),
      deleteAccountScreen({ accounts, clock, graceDays: settings.auth.expiry.deletionGraceDays }),
    ]
  },
  pageActions({ profiles, content, accounts, gates, sales, payouts }, { may, clock, settings }) {
    const { rails } = settings.payments
    const hasSales = settings.storage.groups.includes('sales')
    const paysWallets = rails.some(({ info }) => info?.protocol === 'x402')
    const read = createOverview({
      accounts,
      content,
      gates,
      sales: hasSales ? sales : undefined,
      payouts: paysWallets ? payouts : undefined,
      clock,
    })
    return [...editLinks({ profiles, content, may }), overviewAction({ read, decimalsOf: railsOf(rails).decimalsOf })]
  },
  routes(
    app,
    { accounts, profiles, files, passkeys },
    { screens, may, trustedOrigins, clock, keyring, settings: { auth } },
  ) {
    scriptRoute(app, EDITOR_SCRIPT, {
      operationId: 'getEditorScript',
      summary: 'Get the script of the editor of pages',
    })
    scriptRoute(app, LIVE_SCRIPT, { operationId: 'getLiveScript', summary: 'Get the script that shows new sales' })
    scriptRoute(app, REORDER_SCRIPT, { operationId: 'getReorderScript', summary: 'Get the script that orders pages' })
    deletedPageRoutes(app)
    screenRoutes(app, {
      screens,
      accounts,
      profiles,
      may,
      ownOrigins: new Set(trustedOrigins),
      clock,
      keptForms: createKeptForms({ keyring, clock }),
      askAgain: createAskAgain({
        accounts,
        passkeys: passkeys?.worksOnPages && !auth.hostAuth ? passkeys : undefined,
        clock,
      }),
      createFormParser: files?.isEnabled ? files.toolkit.createFormParser : undefined,
    })
  },
})
