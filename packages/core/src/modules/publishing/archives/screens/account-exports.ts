import { type Screen, type ScreenVisit, screenAction } from '../../../../framework/module/screen.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { invalidCursor } from '../../../../kernel/page.ts'
import { tooManyJobs } from '../../../jobs/index.ts'
import { exportNotFound, tooManyExports } from '../errors.ts'
import { exportScreenMessages } from '../messages.ts'
import { downloadAction, type ExportsScreen, exportForm, exportProblem, exportsView } from './exports-html.ts'

const ACCOUNT_PATH = '/account'

/** The screen with the exports of the whole account: it starts one, and downloads the last one. */
export const accountExportsScreen = (deps: ExportsScreen): Screen => ({
  name: 'accountExports',
  path: '/account/exports',
  section: 'account',
  query: ['cursor'],
  errors: [invalidCursor, tooManyExports, tooManyJobs, exportNotFound],
  title: (page) => exportScreenMessages(page)('accountTitle'),
  said: (outcome, page) => (outcome === 'started' ? exportScreenMessages(page)('didStart') : undefined),
  problem: exportProblem,
  post: {
    start: screenAction({
      recent: true,
      schema: exportForm,
      async run({ caller, path }: ScreenVisit, { format }) {
        await deps.archives.requestAccountExport(format, caller)
        return { to: path, said: 'started' }
      },
    }),
    download: downloadAction(deps),
  },
  async get(visit) {
    const { site } = visit
    const say = exportScreenMessages(site)
    const view = await exportsView(visit, deps, { profileId: null, lead: say('accountLead'), none: say('accountNone') })
    return { ...view, crumbs: [{ name: say('account'), href: hrefOn(site, ACCOUNT_PATH) }] }
  },
})
