import { defineError } from '@eep/core/module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../support/accounts.ts'
import { axeViolations } from '../support/axe.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { casesOf } from '../support/every-screen.ts'
import { freePort } from '../support/ports.ts'
import { openScreenWorld, type ScreenWorld } from '../support/screen-world.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'
const LANGUAGES = ['en', 'de', 'ja', 'ar'] as const
type Language = (typeof LANGUAGES)[number]
const WIDTHS = [320, 390, 1280] as const

const refused = defineError('screens_refused', 409, 'Not now')

/** What a person can reach with the keyboard, and what they reached; runs in the page. */
const FOCUSABLE = `(() => {
  const seen = new Set()
  return [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')].flatMap((element) => {
    if (element.disabled || element.type === 'hidden' || element.tabIndex < 0) return []
    if (!element.checkVisibility({ visibilityProperty: true })) return []
    const group = element.type === 'radio' ? element.name + (element.form?.getAttribute('action') ?? '') : undefined
    if (group !== undefined && seen.has(group)) return []
    if (group !== undefined) seen.add(group)
    return [element.type === 'radio' ? 'radio ' + element.name : element.outerHTML.slice(0, 120)]
  })
})()`
const RECORD_FOCUS = `(() => {
  globalThis.reached = new Set()
  globalThis.unmarked = new Set()
  document.addEventListener('focusin', ({ target }) => {
    const name = target.type === 'radio' ? 'radio ' + target.name : target.outerHTML.slice(0, 120)
    globalThis.reached.add(name)
    const hasRing = (element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      return outlineStyle !== 'none' && outlineWidth !== '0px'
    }
    // Choices that are cards show it around the card.
    if (![target, target.closest('label')].some((element) => element && hasRing(element))) globalThis.unmarked.add(name)
  })
})()`

describe.skipIf(chromiumPath === undefined)(`every screen of the console in a browser (${where})`, () => {
  let world: ScreenWorld
  let browser: Browser
  let cases: ReturnType<typeof casesOf>
  const tabs = new Map<string, { readonly context: BrowserContext; readonly page: Page }>()
  const troubles: string[] = []

  beforeAll(async () => {
    const port = await freePort()
    world = await openScreenWorld({ publicUrl: `http://127.0.0.1:${port}` })
    await world.app.listen({ port, host: '127.0.0.1' })
    browser = await launchChromium()
    cases = casesOf(world)
  })
  afterAll(async () => {
    await browser?.close()
    await world.close()
  })

  /** A tab of a person in a language, which reports what the browser complains about. */
  async function tabOf(person: Person, language: Language, javaScriptEnabled = true): Promise<Page> {
    const key = [person.account.id, language, javaScriptEnabled].join()
    const open = tabs.get(key)
    if (open) return open.page
    const context = await browser.newContext({ baseURL: world.publicUrl, locale: language, javaScriptEnabled })
    await context.addCookies([{ name: 'eep_session', value: person.token, url: world.publicUrl }])
    const page = await context.newPage()
    page.on('pageerror', (error) => troubles.push(`${page.url()}: ${error}`))
    page.on('console', (message) => {
      // Pages that answer with an error status are not faults.
      if (!/the server responded with a status of \d/.test(message.text())) {
        troubles.push(`${page.url()}: ${message.text()}`)
      }
    })
    tabs.set(key, { context, page })
    return page
  }

  type Case = (typeof cases)[number]
  const personOf = ({ screen }: Case, isEmpty = false): Person =>
    screen.section === 'admin' ? world.chief : isEmpty ? world.blankOwner : world.owner
  let turn = 0
  /** Takes the languages in turns, each at each of the widths at which axe looks. */
  const next = () => {
    turn += 1
    return { language: LANGUAGES[turn % 4] ?? 'en', width: (turn >> 2) % 2 === 0 ? 1280 : 320 }
  }

  /** The faults of the open page, which is as wide as axe looks at it. */
  async function faultsOf(page: Page, language: Language, name: string): Promise<string[]> {
    const found = (await axeViolations(page, 'all')).map((fault) => `axe: ${fault}`)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      const is = await page.locator('html').evaluate(({ scrollWidth }) => scrollWidth)
      if (is > width) found.push(`${is} px wide at ${width}`)
    }
    const direction = await page.evaluate<string>('document.dir')
    if (direction !== (language === 'ar' ? 'rtl' : 'ltr')) found.push(`it is written ${direction}`)
    found.push(...troubles.splice(0))
    return found.map((fault) => `${name} (${language}): ${fault}`)
  }

  async function visit(each: Case, at: string, isEmpty = false): Promise<string[]> {
    const { language, width } = next()
    const page = await tabOf(personOf(each, isEmpty), language)
    await page.setViewportSize({ width, height: 800 })
    const response = await page.goto(at)
    const status = response?.status()
    return [...(status === 200 ? [] : [`${at}: ${status}`]), ...(await faultsOf(page, language, at))]
  }

  it('has no fault with something on it, and none without anything', async () => {
    const found: string[] = []
    for (const each of cases) {
      for (const at of each.tested.full) found.push(...(await visit(each, at)))
      if (!each.tested.full.includes(each.tested.empty)) found.push(...(await visit(each, each.tested.empty, true)))
      else if (each.screen.section === 'account') found.push(...(await visit(each, each.tested.empty, true)))
    }
    expect(found).toEqual([])
  })

  it('has no fault after a form was refused, and puts the focus on why', async () => {
    const found: string[] = []
    for (const each of cases) {
      for (const [action, { at, isOfScript, changesNothing, after, by, file, fields, unseen }] of Object.entries(
        each.tested.forms,
      )) {
        // A script sends files, and none without one.
        if (!fields || unseen || isOfScript || changesNothing || after || by || file) continue
        const { language, width } = next()
        const page = await tabOf(personOf(each), language)
        await page.setViewportSize({ width, height: 800 })
        await page.goto(at)
        const button = page.locator(`button[name="do"][value="${action}"]`).first()
        if ((await button.count()) === 0) {
          found.push(`${at}: no button "${action}"`)
          continue
        }
        const answered = page.waitForResponse((response) => response.request().method() === 'POST')
        await world.failing(
          () => refused(),
          async () => {
            // What a person could not do: the page does not check what is entered, and details may be closed.
            await button.evaluate((element, entered) => {
              element.form.noValidate = true
              for (const input of element.form.elements) {
                if (input.type === 'radio' && entered[input.name] === input.value) input.checked = true
              }
              element.click()
            }, fields)
            await (await answered).finished()
          },
        )
        await page.waitForLoadState()
        const status = (await answered).status()
        if (status < 400) {
          found.push(`${each.screen.name} ${action}: ${status}`)
          continue
        }
        const focused = await page.evaluate<string>(
          `document.activeElement.getAttribute('role') ?? document.activeElement.outerHTML.slice(0, 80)`,
        )
        if (focused !== 'alert') found.push(`${each.screen.name} ${action}: the focus is on ${focused}`)
        found.push(...(await faultsOf(page, language, `${each.screen.name} ${action}`)))
      }
    }
    expect(found).toEqual([])
  })

  it('can be used with the keyboard alone, and shows where the focus is', async () => {
    const found: string[] = []
    for (const each of cases) {
      const { language } = next()
      const page = await tabOf(personOf(each), language)
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.goto(each.tested.full[0] ?? each.tested.empty)
      const all = await page.evaluate<string[]>(FOCUSABLE)
      await page.evaluate(RECORD_FOCUS)
      // Inputs of dates have several stops.
      for (let press = 0; press < all.length + 20; press++) await page.keyboard.press('Tab')
      const reached = new Set(await page.evaluate<string[]>('[...globalThis.reached]'))
      const unmarked = await page.evaluate<string[]>('[...globalThis.unmarked]')
      found.push(...all.filter((name) => !reached.has(name)).map((name) => `${each.screen.name}: not reached: ${name}`))
      found.push(...unmarked.map((name) => `${each.screen.name}: no ring: ${name}`))
    }
    troubles.splice(0)
    expect(found).toEqual([])
  })

  it('is the same after reloading and after going back, and has its controls without a script', async () => {
    const found: string[] = []
    const controls = (page: Page) =>
      page
        .locator('main')
        .evaluate((main) => [
          main.querySelector('h1')?.textContent,
          ...[...main.querySelectorAll('button[name="do"], input:not([type="hidden"]), select, textarea')].flatMap(
            (element) =>
              element.closest('[hidden]') || !element.hasAttribute('name')
                ? []
                : [`${element.getAttribute('name')} ${element.getAttribute('value')}`],
          ),
        ])
    for (const each of cases) {
      const at = each.tested.full[0] ?? each.tested.empty
      const { language } = next()
      const person = personOf(each)
      const page = await tabOf(person, language)
      await page.setViewportSize({ width: 390, height: 800 })
      await page.goto(at)
      const shown = await controls(page)
      await page.reload()
      if ((await controls(page)).join() !== shown.join()) found.push(`${at}: another page after reloading`)
      await page.goto('/')
      await page.goBack()
      if ((await controls(page)).join() !== shown.join()) found.push(`${at}: another page after going back`)
      const bare = await tabOf(person, language, false)
      await bare.goto(at)
      const withoutScript = await controls(bare)
      const missing = shown.filter((control) => !withoutScript.includes(control))
      if (missing.length > 0) found.push(`${at}: without a script it lacks ${missing}`)
    }
    found.push(...troubles.splice(0))
    expect(found).toEqual([])
  })
})
