// The script of pages: it lets people pay with wallets of the browser, prove what wallets bought, and use passkeys. Each page
// provides its texts in its language. The modules are served as one.
import { startPasskeys } from './passkeys.js'
import { startWallets } from './pay-with-wallet.js'
import { startProof } from './prove-wallet.js'
import { startTestWallet } from './test-wallet.js'

/**
 * Returns the data that the page has for a part of the script.
 *
 * @param {string} id
 */
const dataOf = (id) => JSON.parse(document.getElementById(id)?.textContent ?? 'null')

// First, because the others ask for wallets when they start.
const testWallet = dataOf('test-wallet')
if (testWallet) startTestWallet(testWallet)

const sale = dataOf('wallet-sale')
if (sale) startWallets(sale)

const passkeys = dataOf('passkeys')
// Older browsers lack the conversions from JSON.
if (passkeys && 'parseRequestOptionsFromJSON' in (globalThis.PublicKeyCredential ?? {})) startPasskeys(passkeys)

const proof = dataOf('wallet-proof')
if (proof) startProof(proof)
