//! Tablut under the rules of Ashton and of Bologna.
