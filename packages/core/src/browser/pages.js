// The script of pages: it lets people pay with wallets of the browser, prove what wallets bought, use passkeys, and copy. Each page
// provides its texts in its language. The modules are served as one.
import { startCopying } from './copy.js'
import { forgetTexts } from './kept-texts.js'
import { dataOf } from './page-data.js'
import { startPasskeys } from './passkeys.js'
import { startWallets } from './pay-with-wallet.js'
import { startProof } from './prove-wallet.js'

const sale = dataOf('wallet-sale')
if (sale) startWallets(sale)

const passkeys = dataOf('passkeys')
// Older browsers lack the conversions from JSON.
if (passkeys && 'parseRequestOptionsFromJSON' in (globalThis.PublicKeyCredential ?? {})) startPasskeys(passkeys)

const proof = dataOf('wallet-proof')
if (proof) startProof(proof)

// Where signing out leads.
if (new URLSearchParams(location.search).get('done') === 'signed_out') forgetTexts()

startCopying()
