//! A converted kernel on memory that cudarc owns.
//!
//! ```sh
//! cutile2rs convert examples/kernels/rowwise.py -o build/examples/kernels
//! cargo run --release --manifest-path examples/cudarc/Cargo.toml     # needs a GPU
//! ```

use std::error::Error;

use cudarc::driver::{CudaContext, DevicePtr, DevicePtrMut};
use cutile2rs_kernels::rowwise::launch::WeighRows;
use cutile2rs_kernels::runtime::typed::Config;
use cutile2rs_kernels::runtime::{Array, DType};

const ROWS: usize = 1000;
const COLUMNS: usize = 512;

fn main() -> Result<(), Box<dyn Error>> {
    let context = CudaContext::new(0)?;
    let stream = context.new_stream()?;
    let numbers: Vec<f32> = (0..ROWS * COLUMNS).map(|i| (i % 7 + 1) as f32).collect();
    let x = stream.clone_htod(&numbers)?;
    let mut out = stream.alloc_zeros::<f32>(ROWS * COLUMNS)?;
    {
        // The guards tell cudarc, once they go, that the stream reads and writes the memory: they must outlive the launch.
        let (x_address, _reads) = x.device_ptr(&stream);
        let (out_address, _writes) = out.device_ptr_mut(&stream);
        let shape = [ROWS as i64, COLUMNS as i64];
        let kernel = WeighRows {
            x: Array::row_major(x_address, &shape, DType::F32)?,
            out: Array::row_major(out_address, &shape, DType::F32)?,
            tile: COLUMNS as i64,
        };
        let config = Config::new([ROWS as u32, 1, 1])
            .on(context.ordinal() as i32, stream.cu_stream() as u64);
        // SAFETY: both slices are as large as said, do not overlap, and live until the copy below, on the same stream.
        unsafe { kernel.launch(&config)? };
    }
    let found = stream.clone_dtoh(&out)?;
    for (i, (row, result)) in numbers
        .chunks(COLUMNS)
        .zip(found.chunks(COLUMNS))
        .enumerate()
    {
        let total: f32 = row.iter().sum();
        for (j, (value, result)) in row.iter().zip(result).enumerate() {
            let wanted = value * (j + 1) as f32 / total;
            if (wanted - result).abs() > 1e-5 * wanted.abs() {
                return Err(format!("row {i}, column {j}: {result} instead of {wanted}").into());
            }
        }
    }
    println!("{ROWS} rows are right");
    Ok(())
}
