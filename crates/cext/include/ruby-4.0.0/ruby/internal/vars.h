#ifndef RUBELLITE_INTERNAL_VARS_H
#define RUBELLITE_INTERNAL_VARS_H
/* Classes, modules and other values that are variables here. They are filled when a VM takes on extensions. */
#include "ruby/internal/types.h"

RBL_BEGIN_DECLS
extern VALUE rb_mKernel;
extern VALUE rb_mComparable;
extern VALUE rb_mEnumerable;
extern VALUE rb_mErrno;
extern VALUE rb_mFileTest;
extern VALUE rb_mGC;
extern VALUE rb_mMath;
extern VALUE rb_mProcess;
extern VALUE rb_mWaitReadable;
extern VALUE rb_mWaitWritable;
extern VALUE rb_cBasicObject;
extern VALUE rb_cObject;
extern VALUE rb_cArray;
extern VALUE rb_cBinding;
extern VALUE rb_cClass;
extern VALUE rb_cComplex;
extern VALUE rb_cDir;
extern VALUE rb_cEncoding;
extern VALUE rb_cEncodingConverter;
extern VALUE rb_cEnumerator;
extern VALUE rb_cFalseClass;
extern VALUE rb_cFile;
extern VALUE rb_cFloat;
extern VALUE rb_cHash;
extern VALUE rb_cIO;
extern VALUE rb_cIOBuffer;
extern VALUE rb_cInteger;
extern VALUE rb_cMatch;
extern VALUE rb_cMethod;
extern VALUE rb_cNameErrorMesg;
extern VALUE rb_cModule;
extern VALUE rb_cNilClass;
extern VALUE rb_cNumeric;
extern VALUE rb_cProc;
extern VALUE rb_cRactor;
extern VALUE rb_cRandom;
extern VALUE rb_cRange;
extern VALUE rb_cRational;
extern VALUE rb_cRefinement;
extern VALUE rb_cRegexp;
extern VALUE rb_cSet;
extern VALUE rb_cStat;
extern VALUE rb_cString;
extern VALUE rb_cStruct;
extern VALUE rb_cSymbol;
extern VALUE rb_cThread;
extern VALUE rb_cTime;
extern VALUE rb_cTrueClass;
extern VALUE rb_cUnboundMethod;
extern VALUE rb_eException;
extern VALUE rb_eArgError;
extern VALUE rb_eEOFError;
extern VALUE rb_eEncCompatError;
extern VALUE rb_eEncodingError;
extern VALUE rb_eFatal;
extern VALUE rb_eFloatDomainError;
extern VALUE rb_eFrozenError;
extern VALUE rb_eIOError;
extern VALUE rb_eIOTimeoutError;
extern VALUE rb_eIndexError;
extern VALUE rb_eInterrupt;
extern VALUE rb_eKeyError;
extern VALUE rb_eLoadError;
extern VALUE rb_eLocalJumpError;
extern VALUE rb_eMathDomainError;
extern VALUE rb_eNameError;
extern VALUE rb_eNoMatchingPatternError;
extern VALUE rb_eNoMatchingPatternKeyError;
extern VALUE rb_eNoMemError;
extern VALUE rb_eNoMethodError;
extern VALUE rb_eNotImpError;
extern VALUE rb_eRangeError;
extern VALUE rb_eRegexpError;
extern VALUE rb_eRuntimeError;
extern VALUE rb_eScriptError;
extern VALUE rb_eSecurityError;
extern VALUE rb_eSignal;
extern VALUE rb_eStandardError;
extern VALUE rb_eStopIteration;
extern VALUE rb_eSyntaxError;
extern VALUE rb_eSysStackError;
extern VALUE rb_eSystemCallError;
extern VALUE rb_eSystemExit;
extern VALUE rb_eThreadError;
extern VALUE rb_eTypeError;
extern VALUE rb_eZeroDivError;
extern VALUE rb_stdin;
extern VALUE rb_stdout;
extern VALUE rb_stderr;
extern VALUE rb_fs;
extern VALUE rb_rs;
extern VALUE rb_default_rs;
extern VALUE rb_output_rs;
extern VALUE rb_output_fs;
extern VALUE rb_argv0;
extern const char ruby_hexdigits[];
extern const signed char ruby_digit36_to_number_table[];
RBL_END_DECLS
#define rb_defout rb_stdout

#endif
