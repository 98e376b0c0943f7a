/** What codes of contracts mean, in plain words. Sources: the TVM's and the node's own codes, and the contracts' sources. */

/** Of the VM, of wallets and tokens: what a contract ended with before its actions were looked at. */
const COMPUTE: Readonly<Record<number, string>> = {
  0: 'the contract ended well',
  1: 'the contract ended well',
  2: 'the contract took a value from an empty stack',
  3: 'the contract put too many values on the stack',
  4: 'a number in the contract left its 257 bits',
  5: 'a number in the contract is out of its range',
  6: 'the code of the contract has an instruction that does not exist',
  7: 'a value in the contract is of another type than it expects',
  8: 'a cell that the contract builds became too large',
  9: 'a cell that the contract reads is shorter than it expects',
  10: 'a dictionary of the contract is not in order',
  11: 'the contract knows no such operation, or an unknown error came up',
  12: 'an error in the TVM itself',
  13: 'the contract ran out of gas',
  [-14]: 'the contract ran out of gas',
  14: 'a part of the contract is virtual and cannot be read',
  33: 'the wallet refused: wrong seqno, another message came first or one is missing',
  34: 'the wallet refused: wrong wallet id',
  35: 'the wallet refused: the signature is wrong, or the message came too late',
  36: 'the wallet refused: the message came too late',
  47: 'not enough tokens',
  48: 'not enough gas was sent along',
  49: 'the contract does not understand the message',
  72: 'the message does not come from the owner',
  73: 'the message does not come from the owner',
  74: 'the message does not come from a wallet of this token',
  130: 'the contract knows no such operation',
  132: 'the wallet refused: signatures are switched off',
  133: 'the wallet refused: wrong seqno, another message came first or one is missing',
  134: 'the wallet refused: wrong wallet id',
  135: 'the wallet refused: the signature is wrong',
  136: 'the wallet refused: the message came too late',
  137: 'the wallet refused: what a signed message sends must ignore errors',
  138: 'the wallet refused: no such operation',
  139: 'the wallet refused: the extension is there already',
  140: 'the wallet refused: there is no such extension',
  141: 'the wallet refused: no such action',
  142: 'the wallet refused: without extensions signatures cannot be switched off',
  143: 'the wallet refused: signatures are in that mode already',
  144: 'the wallet refused: the last extension cannot go while signatures are off',
  145: 'the wallet refused: the extension is in another workchain',
  146: 'the wallet refused: only an extension may switch signatures',
  147: 'the wallet refused: its list of actions is not in order',
  333: 'the address is in another workchain',
  401: 'the message does not come from the owner',
  402: 'not enough money was sent along',
  705: 'the message does not come from the owner of the tokens',
  706: 'not enough tokens',
  707: 'the message does not come from a wallet of this token',
  708: 'the message does not come from a wallet of this token',
  709: 'not enough money was sent along',
  2047: 'the TVM broke at the contract',
  65535: 'the contract knows no such operation',
}

/** Of the node: what became of the actions that a contract left. */
const ACTION: Readonly<Record<number, string>> = {
  [-14]: 'the actions ran out of gas',
  32: 'the list of actions is not in order',
  33: 'there are more than 255 actions',
  34: 'an action is not in order, or of a kind that does not exist',
  35: 'a message that it sends names a wrong source',
  36: 'a message that it sends has a wrong destination',
  37: 'not enough money for what it sends',
  38: 'not enough of an extra currency for what it sends',
  39: 'a message that it sends does not fit into a cell',
  40: 'not enough money for the fees of a message that it sends, or that message is too large',
  41: 'a library that it names is not there',
  42: 'its change of libraries failed',
  43: 'too many or too deep libraries',
  50: 'the state that it leaves is too large',
}

const SKIPPED: Readonly<Record<string, string>> = {
  cskip_no_state: 'the account is not deployed',
  cskip_bad_state: 'the state that the message brings is not that of the account',
  cskip_no_gas: 'not enough money for any gas',
  cskip_suspended: 'the account is suspended',
}

/** An exit code of the compute phase in words. */
export const exitCodeWords = (code: number): string =>
  COMPUTE[code] ?? `the contract ended with code ${code} of its own`

/** A result code of the action phase in words. */
export const actionCodeWords = (code: number): string => ACTION[code] ?? `its actions failed with code ${code}`

/** Why the compute phase did not run (TL-B ComputeSkipReason), in words. */
export const skipWords = (reason: string): string => SKIPPED[reason] ?? 'the contract did not run'
