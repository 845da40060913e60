import { type Html, html } from './html.ts'
import { toolMessages } from './messages.ts'
import type { Site } from './view.ts'

// The declarative attributes of WebMCP (https://developer.chrome.com/docs/ai/webmcp), a draft: forms as tools of agents in browsers.

/** How many purchase forms become tools on one page, so that the attributes stay small. */
const MAX_BUY_FORMS = 2

type Attributes = Html | false | undefined

/** The attributes of the search form. It only reads, so an agent may submit it. */
export const searchTool = (site: Site): Attributes =>
  site.webMcp && html` toolname="search" tooldescription="${toolMessages(site)('search')}" toolautosubmit`

/** The attribute of the field for the words of a search. */
export const queryParameter = (site: Site): Attributes =>
  site.webMcp && html` toolparamdescription="${toolMessages(site)('query')}"`

/**
 * The attributes of a form that leads to a payment page. The person submits it, never the agent.
 *
 * @param place - which of the forms of its page it is, from 0. Only the first ones become tools
 */
export const buyTool = (site: Site, place = 0): Attributes =>
  site.webMcp &&
  place < MAX_BUY_FORMS &&
  html` toolname="buy${place === 0 ? '' : `_${place + 1}`}" tooldescription="${toolMessages(site)('buy')}"`

/** The attribute of the choice between several things to buy. */
export const tierParameter = (site: Site): Attributes =>
  site.webMcp && html` toolparamdescription="${toolMessages(site)('tier')}"`
