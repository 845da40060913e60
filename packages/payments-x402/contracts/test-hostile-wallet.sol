// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A contract wallet that confirms every signature after `rounds` of hashing, and can confirm in a simulation what it
/// rejects in a block: where the gas has a price (`liesByPrice`), or in every block after `honestUntil`.
contract TestHostileWallet {
  uint256 public rounds;
  bool public liesByPrice;
  uint256 public honestUntil;

  function init(uint256 rounds_, bool liesByPrice_, uint256 honestUntil_) external {
    rounds = rounds_;
    liesByPrice = liesByPrice_;
    honestUntil = honestUntil_;
  }

  function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
    uint256 n = rounds;
    bytes32 x;
    assembly {
      for { let i := 0 } lt(i, n) { i := add(i, 1) } {
        mstore(0, x)
        mstore(32, i)
        x := keccak256(0, 64)
      }
    }
    if (liesByPrice && tx.gasprice > 0) return 0xffffffff;
    if (block.number > honestUntil) return 0xffffffff;
    return x == bytes32(uint256(1)) ? bytes4(0xffffffff) : bytes4(0x1626ba7e);
  }
}
